import { useId } from "preact/hooks";
import { thisPlatform } from "../../../client/src/platform.ts";
import { type SessionEndpoint, type SessionParameter, useSession } from "../api/session.tsx";
import { Button } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { holderOf } from "./credential-choices.ts";
import { type DemoValue, demoValues } from "./demo-values.ts";
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
}

/** The fields of an endpoint, its credential, and a way to break the request on purpose. */
export function RequestForm({ endpoint, form, isSending, onSubmit }: RequestFormProps) {
  return (
    <form
      class={styles.form}
      aria-labelledby="form-title"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      <h2 id="form-title">Parameters</h2>
      {endpoint.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          endpoint={endpoint.name}
          parameter={parameter}
          value={form.values[parameter.name] ?? ""}
          onInput={(value) => form.setValues({ ...form.values, [parameter.name]: value })}
        />
      ))}
      <Field
        label="More of the query"
        hint="Sent as it is typed, such as statsu=completed."
        value={form.more}
        onInput={form.setMore}
        isCode
      />
      <h2>Caller</h2>
      <CredentialFields endpoint={endpoint} form={form} />
      <Button type="submit" kind="main" isDisabled={isSending || onSubmit === undefined}>
        {isSending ? "Sending …" : "Send"}
      </Button>
    </form>
  );
}

interface ParameterFieldProps {
  readonly endpoint: string;
  readonly parameter: SessionParameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

const LEFT_OUT = ["", "left out"] as const;

function ParameterField({ endpoint, parameter, value, onInput }: ParameterFieldProps) {
  const { credentials } = useSession();
  const { name, isRequired, isRepeatable, isDeprecated, choices, text } = parameter;
  const label = `${name}${isRequired ? " (required)" : ""}${isDeprecated ? " (deprecated)" : ""}`;
  if (choices !== undefined && !isRepeatable) {
    const words = choices.map((word) => [word, word] as const);
    return (
      <Field
        label={label}
        hint={hintOf(text)}
        value={value}
        onInput={onInput}
        choices={[LEFT_OUT, ...words]}
      />
    );
  }
  const demo = demoValues(endpoint, name, credentials, thisPlatform.now());
  const several = isRepeatable ? " A space separates several." : "";
  const anyOf = choices === undefined ? "" : ` Any of: ${choices.join(", ")}.`;
  return (
    <div class={styles.pair}>
      <Field
        label={label}
        hint={`${hintOf(text)}${anyOf}${several}`}
        value={value}
        onInput={onInput}
        isCode
        {...(parameter.default !== undefined && { placeholder: parameter.default })}
      />
      {demo.length > 0 && <DemoValues name={name} value={value} values={demo} onChoose={onInput} />}
    </div>
  );
}

interface DemoValuesProps {
  readonly name: string;
  readonly value: string;
  readonly values: readonly DemoValue[];
  readonly onChoose: (value: string) => void;
}

/** The demo's values for a field, beside it. */
function DemoValues({ name, value, values, onChoose }: DemoValuesProps) {
  const id = useId();
  return (
    <div class={styles.demo}>
      <label for={id}>
        Demo values<span class="visually-hidden"> for {name}</span>
      </label>
      <select
        id={id}
        value={values.find((one) => one.value === value)?.value ?? ""}
        onChange={({ currentTarget }) => currentTarget.value !== "" && onChoose(currentTarget.value)}
      >
        <option value="">choose …</option>
        {values.map((one) => (
          <option key={one.label} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The first sentence of a parameter's text, without marks; the reference has all of it. */
const hintOf = (text: string): string => (/^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text).replaceAll("`", "");

type CredentialFieldsProps = Pick<RequestFormProps, "endpoint" | "form">;

function CredentialFields({ endpoint, form }: CredentialFieldsProps) {
  const { credentials } = useSession();
  const { credential, breakages } = form;
  const holder = holderOf(endpoint);
  const secret = secretOf(credential);
  return (
    <>
      <Field
        label="Credential"
        value={form.choice}
        onInput={form.choose}
        choices={form.choices.map(({ name, label }) => [name, label] as const)}
      />
      {secret !== undefined && (
        <Field
          label={credential.kind === "bearer" ? "Access token" : "API key"}
          value={secret}
          onInput={form.type}
          isCode
        />
      )}
      {credential.kind === "bearer" && (
        <TokenMaker
          holder={holder}
          scope={endpoint.scope ?? ""}
          audience={(holder === "wallet" ? credentials.passes : credentials.business).audience}
          onToken={form.type}
        />
      )}
      {breakages.length > 1 && (
        <Field
          label="Break on purpose"
          value={form.breakage.name}
          onInput={form.breakBy}
          choices={breakages.map(({ name, label }) => [name, label] as const)}
        />
      )}
    </>
  );
}
