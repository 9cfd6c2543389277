import { CodeBlock } from "./code-block.tsx";
import { laidOut, piecesOf } from "./json-text.ts";

const COLOURS = { name: "accent", text: "good", number: "warn", word: "warn" } as const;

/** A JSON text, laid out and coloured, with every digit as it was sent. */
export function ExactJson({ label, text }: { readonly label: string; readonly text: string }) {
  const shown = laidOut(text);
  return (
    <CodeBlock label={label} text={shown}>
      {piecesOf(shown).map(({ kind, text: piece }, index) =>
        kind === "mark" ? (
          piece
        ) : (
          <span key={index} class={COLOURS[kind]}>
            {piece}
          </span>
        ),
      )}
    </CodeBlock>
  );
}
