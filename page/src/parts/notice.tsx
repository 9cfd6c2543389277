import type { ComponentChildren } from "preact";
import styles from "./notice.module.css";

/** How good the news are: a colour and the word before them, because a colour alone tells some readers nothing. */
export type Tone = "info" | "good" | "warn" | "bad";

const WORDS: Readonly<Record<Tone, string>> = { info: "Note", good: "Done", warn: "Careful", bad: "Failed" };

interface NoticeProps {
  readonly tone: Tone;
  /** The word before the text, in place of the tone's own. */
  readonly word?: string;
  readonly children: ComponentChildren;
}

/** A message that a screen reader reads out when it appears. */
export function Notice({ tone, word = WORDS[tone], children }: NoticeProps) {
  return (
    <div
      class={styles.notice}
      style={{ "--tone": `var(--${tone === "info" ? "accent" : tone})` }}
      role={tone === "bad" ? "alert" : "status"}
    >
      <strong>{word}.</strong> {children}
    </div>
  );
}
