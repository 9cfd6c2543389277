import { CodeBlock } from "./code-block.tsx";
import styles from "./exact-json.module.css";
import { laidOut, piecesOf } from "./json-text.ts";

/** A JSON text, laid out and coloured, with every digit as it was sent. */
export function ExactJson({ label, text }: { readonly label: string; readonly text: string }) {
  const shown = laidOut(text);
  return (
    <CodeBlock label={label} text={shown}>
      {piecesOf(shown).map(({ kind, text: piece }, index) =>
        kind === "mark" ? (
          piece
        ) : (
          <span key={index} class={styles[kind]}>
            {piece}
          </span>
        ),
      )}
    </CodeBlock>
  );
}
