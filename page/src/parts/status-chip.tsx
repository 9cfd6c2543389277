import styles from "./status-chip.module.css";

/** What a status means to its reader, as a sign and its colour. */
function meaningOf(status: number): readonly [sign: string, colour: string] {
  if (status === 0) return ["–", "bad"];
  if (status === 304) return ["=", "accent"];
  if (status < 400) return ["✓", "good"];
  return status < 500 ? ["!", "warn"] : ["×", "bad"];
}

/** An HTTP status; 0 for a request without an answer. */
export function StatusChip({ status }: { readonly status: number }) {
  const [sign, colour] = meaningOf(status);
  return (
    <span class={`figures ${styles.chip} ${colour}`}>
      <span aria-hidden="true">{sign}</span> {status === 0 ? "no answer" : status}
    </span>
  );
}
