import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import styles from "./code-block.module.css";

interface CodeBlockProps {
  /** Names the block for those who do not see its place, and stands above it. */
  readonly label: string;
  /** The text that is copied, and shown unless there are children. */
  readonly text: string;
  /** The same text with marks in it. */
  readonly children?: ComponentChildren;
}

/** A text of machines, as it is, with a button that copies it. */
export function CodeBlock({ label, text, children }: CodeBlockProps) {
  const [outcome, setOutcome] = useState("");
  const copy = (): void => {
    copyText(text).then(
      () => setOutcome("Copied."),
      () => setOutcome("The browser does not let this page copy. Select the text."),
    );
  };
  return (
    <figure class={styles.block}>
      <figcaption class={`row note ${styles.head}`}>
        <span>{label}</span>
        <span class={styles.outcome} role="status">
          {outcome}
        </span>
        <Button onClick={copy}>
          Copy<span class="visually-hidden"> {label}</span>
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the block scrolls */}
      <pre tabIndex={0}>
        <code>{children ?? text}</code>
      </pre>
    </figure>
  );
}

/** Browsers give `navigator.clipboard` only to pages on this machine, or over TLS. */
async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) throw new Error("There is no clipboard.");
  await clipboard.writeText(text);
}
