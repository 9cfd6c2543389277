import { useId, useState } from "preact/hooks";
import type { LogEvent } from "../api/log-stream.ts";
import { StatusChip } from "../parts/status-chip.tsx";
import { RequestExplanation } from "./explanation.tsx";
import styles from "./log.module.css";

/** A request with what is known of it at once; it opens to what the server remembers. */
export function RequestRow({ event }: { readonly event: LogEvent }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { at, method, target, endpoint, status, tookMs, hints, fault, error } = event;
  return (
    <li class={fault === null ? styles.request : `${styles.request} ${styles.faulty}`}>
      <div class={styles.line}>
        <time class="figures" dateTime={new Date(at).toISOString()}>
          {timeText(at)}
        </time>
        <StatusChip status={status} />
        <button
          type="button"
          class={styles.target}
          aria-expanded={isOpen}
          {...(isOpen && { "aria-controls": id })}
          onClick={() => setOpen(!isOpen)}
        >
          <code>
            {method} {target}
          </code>
        </button>
      </div>
      <ul class={styles.facts}>
        <li>{endpoint ?? "no endpoint"}</li>
        <li class="figures">{tookMs} ms</li>
        {error !== null && (
          <li>
            <code>{error}</code>
          </li>
        )}
        {fault !== null && (
          <li class={styles.fault}>
            on purpose: <code>{fault}</code>
          </li>
        )}
        {hints.length > 0 && (
          <li class={styles.hint}>{hints.length === 1 ? "1 hint" : `${hints.length} hints`}</li>
        )}
      </ul>
      {isOpen && (
        <div id={id} class={styles.explanation}>
          <RequestExplanation event={event} />
        </div>
      )}
    </li>
  );
}

/** The time of day on this machine, as in `12:01:33`. */
const timeText = (at: number): string => new Date(at).toTimeString().slice(0, "12:01:33".length);
