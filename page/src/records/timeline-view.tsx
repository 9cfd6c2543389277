import { useEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import type { TimelineEntry } from "./timeline.ts";
import styles from "./timeline-view.module.css";

interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  readonly isBusy: boolean;
  readonly onAdvance: (to: string) => Promise<void>;
}

/** The states of a record in their order, with a button for each state that it can reach. */
export function Timeline({ entries, isBusy, onAdvance }: TimelineProps) {
  const present = useRef<HTMLLIElement>(null);
  const mustFocus = useRef(false);
  // The button that was pressed is gone with the state that it led to, and the keyboard goes on from there.
  useEffect(() => {
    if (!mustFocus.current || isBusy) return;
    mustFocus.current = false;
    present.current?.focus();
  }, [isBusy]);
  const advance = (to: string): void => {
    mustFocus.current = true;
    void onAdvance(to);
  };
  return (
    <ol class={styles.timeline}>
      {entries.map(({ state, place, at }) => (
        <li
          key={state}
          class={styles[place]}
          {...(place === "present" && { ref: present, tabIndex: -1, "aria-current": "step" as const })}
        >
          <strong>{state}</strong>
          {place === "possible" ? (
            <Button isDisabled={isBusy} onClick={() => advance(state)}>
              Advance<span class="visually-hidden"> to {state}</span>
            </Button>
          ) : (
            <span class={styles.at}>
              {at === undefined ? "the record does not say when" : <time dateTime={at}>{at}</time>}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
