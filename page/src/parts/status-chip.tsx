import styles from "./status-chip.module.css";

type StatusKind = "good" | "same" | "warn" | "bad" | "none";

/** What a status means to its reader; the chip adds a sign to the colour. */
const SIGNS: Readonly<Record<StatusKind, string>> = { good: "✓", same: "=", warn: "!", bad: "×", none: "–" };

function kindOf(status: number): StatusKind {
  if (status === 0) return "none";
  if (status === 304) return "same";
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}

/** An HTTP status; 0 for a request without an answer. */
export function StatusChip({ status }: { readonly status: number }) {
  const kind = kindOf(status);
  return (
    <span class={`${styles.chip} ${styles[kind]}`}>
      <span aria-hidden="true">{SIGNS[kind]}</span> {status === 0 ? "no answer" : status}
    </span>
  );
}
