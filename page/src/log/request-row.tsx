import { useState } from "preact/hooks";
import type { LogEvent } from "../../../local/page/page-questions.ts";
import { StatusChip } from "../parts/status-chip.tsx";
import { RequestExplanation } from "./explanation.tsx";
import styles from "./log.module.css";

/** A request on one line, with what is known of it at once; it opens to what the server remembers. */
export function RequestRow({ event }: { readonly event: LogEvent }) {
  const [isOpen, setOpen] = useState(false);
  const { at, method, target, endpoint, status, tookMs, hints, fault, error } = event;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class={styles.line}>
          <time class="figures" dateTime={new Date(at).toISOString()}>
            {timeText(at)}
          </time>
          <StatusChip status={status} />
          <span class="figures">{tookMs} ms</span>
          <code class={styles.target}>
            {method} {target}
          </code>
          <span class={styles.notes}>
            {endpoint === null && "no endpoint "}
            {fault !== null && <strong>on purpose: {fault} </strong>}
            {error !== null && <code>{error} </code>}
            {hints.length > 0 && <strong>{hints.length === 1 ? "1 hint" : `${hints.length} hints`}</strong>}
          </span>
        </summary>
        {isOpen && (
          <div class={styles.explanation}>
            <RequestExplanation event={event} />
          </div>
        )}
      </details>
    </li>
  );
}

/** The time of day on this machine, as in `12:01:33`. */
const timeText = (at: number): string => new Date(at).toTimeString().slice(0, "12:01:33".length);
