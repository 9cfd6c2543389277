import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import styles from "./field.module.css";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What is meant, below the field. */
  readonly hint?: string | undefined;
  /** Why the value cannot be used; it is read out when it appears. */
  readonly complaint?: string | undefined;
  readonly placeholder?: string | undefined;
  /** The values to choose from, with their titles; absent for a field that takes any text. */
  readonly choices?: readonly (readonly [value: string, title: string])[];
  /** Whether the value is a text of machines: an id, an amount, a key. */
  readonly isCode?: boolean;
  /** Whether a form may not be sent without it. */
  readonly isRequired?: boolean;
  /** What stands beside the label, such as values to choose from. */
  readonly aside?: ComponentChildren;
}

/** A labelled field for a line of text, or for one of some choices. */
export function Field({
  label,
  value,
  onInput,
  hint,
  complaint,
  placeholder,
  choices,
  isCode = false,
  isRequired = false,
  aside,
}: FieldProps) {
  const id = useId();
  const notes = [
    hint === undefined ? [] : `${id}-hint`,
    complaint === undefined ? [] : `${id}-complaint`,
  ].flat();
  const shared = {
    id,
    value,
    required: isRequired,
    class: isCode ? `figures ${styles.control}` : styles.control,
    "aria-invalid": complaint !== undefined,
    ...(notes.length > 0 && { "aria-describedby": notes.join(" ") }),
  };
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      {aside}
      {choices === undefined ? (
        <input
          {...shared}
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          {choices.map(([choice, title]) => (
            <option key={choice} value={choice}>
              {title}
            </option>
          ))}
        </select>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class={`soft ${styles.hint}`}>
          {hint}
        </p>
      )}
      {complaint !== undefined && (
        <p id={`${id}-complaint`} class={`bad ${styles.complaint}`} role="alert">
          {complaint}
        </p>
      )}
    </div>
  );
}
