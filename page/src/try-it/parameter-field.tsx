import { servicePlatform } from "../api/service-platform.ts";
import { type SessionParameter, useSession } from "../api/session.tsx";
import { Field } from "../parts/field.tsx";
import { demoValues } from "./demo-values.ts";
import styles from "./try-it.module.css";

interface ParameterFieldProps {
  readonly endpoint: string;
  readonly parameter: SessionParameter;
  readonly value: string;
  /** Whether an empty field that is required has been tried to send. */
  readonly isComplaining: boolean;
  readonly onInput: (value: string) => void;
}

/** The field of one parameter of an endpoint. */
export function ParameterField({ endpoint, parameter, value, isComplaining, onInput }: ParameterFieldProps) {
  const { credentials } = useSession();
  const { name, isRequired, isRepeatable, isDeprecated, choices, text } = parameter;
  const field = {
    label: `${name}${isRequired ? " (required)" : ""}${isDeprecated ? " (deprecated)" : ""}`,
    hint: hintOf(text),
    value,
    onInput,
    isRequired,
    complaint: isComplaining && isRequired && value === "" ? `${name} is required.` : undefined,
  };
  if (choices !== undefined && !isRepeatable) {
    // A link may fill in a word that is not one of them, to see it refused.
    const words = [...new Set([...(isRequired ? [] : [""]), ...choices, value])];
    return <Field {...field} choices={words.map((word) => [word, word === "" ? "left out" : word])} />;
  }
  const placeholder = isRepeatable ? "one or more, with spaces" : parameter.default;
  const demo =
    choices?.map((word) => ({ label: word, value: `${value} ${word}`.trim() })) ??
    demoValues(endpoint, name, credentials, servicePlatform.now());
  return (
    <Field
      {...field}
      isCode
      placeholder={placeholder}
      aside={
        demo.length > 0 && (
          <select
            class={styles.demo}
            aria-label={`Demo values for ${name}`}
            value={demo.find((one) => one.value === value)?.value ?? ""}
            onChange={({ currentTarget }) => currentTarget.value !== "" && onInput(currentTarget.value)}
          >
            <option value="">values …</option>
            {demo.map((one) => (
              <option key={one.label} value={one.value}>
                {one.label}
              </option>
            ))}
          </select>
        )
      }
    />
  );
}

const HINT_MAX = 90;

/** The first sentence of a parameter's text, without marks, or what stands before its colon. The reference has all of it. */
function hintOf(text: string): string {
  const sentence = (/^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text).replaceAll("`", "");
  return sentence.length > HINT_MAX ? sentence.replace(/:.*$/, ".") : sentence;
}
