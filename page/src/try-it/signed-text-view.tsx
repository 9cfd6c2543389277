import { CodeBlock } from "../parts/code-block.tsx";
import { ExactJson } from "../parts/exact-json.tsx";
import type { SignedText } from "./prepare-request.ts";
import styles from "./signed-text-view.module.css";

/** The text under a signature, byte for byte, with each of its pieces marked and named. */
export function SignedTextView({ signed }: { readonly signed: SignedText }) {
  const { pieces, protectedHeader } = signed;
  return (
    <>
      {protectedHeader !== undefined && <ExactJson label="Protected header" text={protectedHeader} />}
      <CodeBlock label="The text that is signed" text={pieces.map(({ text }) => text).join("")}>
        {pieces.map(({ text }, index) => (
          <span key={index} class={styles.piece}>
            {text}
          </span>
        ))}
      </CodeBlock>
      <ol class={`note ${styles.meanings}`}>
        {pieces.map(({ text, meaning }, index) => (
          <li key={index}>
            <code class={styles.piece}>{shortened(text)}</code> {meaning}
          </li>
        ))}
      </ol>
    </>
  );
}

const SHOWN_MAX = 40;

/** The list names the pieces; the block above it has all of their text. */
const shortened = (text: string): string => {
  if (text === "") return "(empty)";
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
};
