import styles from "./pass-card.module.css";
import type { CardField, PassCardContent } from "./pass-card-fields.ts";

interface PassCardProps {
  readonly content: PassCardContent;
  /** Whether the pass is gone; the card then shows what it last was. */
  readonly isVoid: boolean;
}

/** A pass as its holder carries it. */
export function PassCard({ content, isVoid }: PassCardProps) {
  const { type, reference, version, fields, actions, triggers } = content;
  return (
    <article class={`panel ${styles.card} ${isVoid ? styles.void : ""}`} aria-label={`${type} ${reference}`}>
      <header class={`row ${styles.head}`}>
        <strong>{type}</strong>
        <span class="soft">{isVoid ? "void" : `version ${version}`}</span>
      </header>
      <Fields fields={fields} />
      {actions.length > 0 && (
        <div class={styles.part}>
          <Fields fields={actions} />
        </div>
      )}
      {triggers.map((trigger) => (
        <p key={trigger} class={`note ${styles.part}`}>
          Comes up by {trigger}
        </p>
      ))}
      <footer class={styles.foot}>
        <code>{reference}</code>
      </footer>
    </article>
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\S+$/;

const Fields = ({ fields }: { readonly fields: readonly CardField[] }) => (
  <dl class={styles.fields}>
    {fields.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{INSTANT.test(value) ? <time dateTime={value}>{value}</time> : value}</dd>
      </div>
    ))}
  </dl>
);
