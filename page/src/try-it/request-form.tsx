import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { SessionEndpoint, SessionParameter } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { ParameterField } from "./parameter-field.tsx";
import { secretOf } from "./prepare-request.ts";
import { TokenMaker } from "./token-maker.tsx";
import styles from "./try-it.module.css";
import type { Form } from "./use-form.ts";

interface RequestFormProps {
  readonly endpoint: SessionEndpoint;
  readonly form: Form;
  readonly isSending: boolean;
  /** Absent for a request that a page cannot send. */
  readonly onSubmit?: () => void;
  /** Hears that a field that is required is empty, and so nothing is sent. */
  readonly onEmpty: () => void;
  /** What stands beside the button. */
  readonly children: ComponentChildren;
}

/** The question: the fields of an endpoint and its credential. An empty field that is required is told, and nothing is sent. */
export function RequestForm({ endpoint, form, isSending, onSubmit, onEmpty, children }: RequestFormProps) {
  const [isComplaining, setComplaining] = useState(false);
  const fieldOf = (parameter: SessionParameter) => (
    <ParameterField
      key={parameter.name}
      endpoint={endpoint.name}
      parameter={parameter}
      value={form.values[parameter.name] ?? ""}
      isComplaining={isComplaining}
      onInput={(value) => form.setValues({ ...form.values, [parameter.name]: value })}
    />
  );
  const rare = endpoint.parameters.filter(isRare);
  return (
    <form
      aria-labelledby="form-title"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const empty = event.currentTarget.querySelector<HTMLElement>(":is(input, select):invalid");
        setComplaining(empty !== null);
        if (empty === null) return onSubmit?.();
        empty.focus();
        onEmpty();
      }}
    >
      <h2 id="form-title">The question</h2>
      <div class={styles.fields}>{endpoint.parameters.filter((one) => !isRare(one)).map(fieldOf)}</div>
      <CredentialFields form={form} />
      <div class={`row ${styles.row}`}>
        <Folded
          title="More parameters"
          isFilled={form.more !== "" || rare.some(({ name }) => (form.values[name] ?? "") !== "")}
        >
          <div class={styles.fields}>
            {rare.map(fieldOf)}
            <Field
              label="More of the query"
              hint="Sent as it is typed: statsu=completed, to see a misspelt parameter refused."
              value={form.more}
              onInput={form.setMore}
              isCode
            />
          </div>
        </Folded>
        <SecretFields endpoint={endpoint} form={form} />
      </div>
      <div class={styles.send}>
        <Button type="submit" kind="main" isDisabled={isSending || onSubmit === undefined}>
          {isSending ? "Sending …" : "Send"}
        </Button>
        {children}
      </div>
    </form>
  );
}

/** What few requests need: what is deprecated, and what a button below an answer fills in. */
const isRare = ({ name, in: place, isRequired, isDeprecated }: SessionParameter): boolean =>
  !isRequired && (isDeprecated || place === "header" || name === "cursor");

/** Who asks, and a way to break the request on purpose. */
const CredentialFields = ({ form }: Pick<RequestFormProps, "form">) => (
  <>
    <Field
      label="Credential"
      value={form.choice}
      onInput={form.choose}
      choices={form.choices.map(({ name, label }) => [name, label] as const)}
    />
    {form.breakages.length > 1 && (
      <Field
        label="Break on purpose"
        value={form.breakage.name}
        onInput={form.breakBy}
        choices={form.breakages.map(({ name, label }) => [name, label] as const)}
      />
    )}
  </>
);

/** The token or key of the credential, to be replaced by one that is typed or signed; nothing for a credential without. */
function SecretFields({ endpoint, form }: Pick<RequestFormProps, "endpoint" | "form">) {
  const isBearer = form.credential.kind === "bearer";
  const secret = secretOf(form.credential);
  if (secret === undefined) return null;
  return (
    <Folded title={isBearer ? "Another token" : "Another key"} isFilled={form.isTyped}>
      <Field label={isBearer ? "Access token" : "API key"} value={secret} onInput={form.type} isCode />
      {isBearer && <TokenMaker endpoint={endpoint} onToken={form.type} />}
    </Folded>
  );
}

interface FoldedProps {
  readonly title: string;
  /** Whether one of the fields has a value of its own. */
  readonly isFilled: boolean;
  readonly children: ComponentChildren;
}

/** Fields that few requests need. They unfold when one of them is filled, and fold again only for the visitor. */
function Folded({ title, isFilled, children }: FoldedProps) {
  const wasFilled = useRef(false);
  wasFilled.current ||= isFilled;
  return (
    <details class={styles.folded} open={wasFilled.current}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
