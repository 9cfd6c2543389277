import { useEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import type { TimelineEntry } from "./timeline.ts";
import styles from "./timeline-view.module.css";

interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  /** Whether its endpoint answered the record, which tells when. */
  readonly isAnswered: boolean;
  readonly isBusy: boolean;
  readonly onAdvance: (to: string) => Promise<void>;
}

/** The places of states that the record need not reach any more. */
const BEHIND: readonly TimelineEntry["place"][] = ["passed", "unproven", "present"];

/** The states of a record as a line, with a button for each that it can reach; those that leave the line branch off it. */
export function Timeline({ entries, isAnswered, isBusy, onAdvance }: TimelineProps) {
  const present = useRef<HTMLLIElement>(null);
  const mustFocus = useRef(false);
  // The button that was pressed is gone with the state that it led to, and the keyboard goes on from there.
  useEffect(() => {
    if (!mustFocus.current || isBusy) return;
    mustFocus.current = false;
    present.current?.focus();
  }, [isBusy]);
  const step = ({ state, place, at }: TimelineEntry) => (
    <li
      key={state}
      class={styles[place]}
      {...(place === "present" && { ref: present, tabIndex: -1, "aria-current": "step" as const })}
    >
      <strong>{state}</strong>
      {BEHIND.includes(place) ? (
        <span class="figures soft">
          {at === undefined ? undated(place, isAnswered) : <time dateTime={at}>{at}</time>}
        </span>
      ) : (
        <Button
          kind={place === "next" ? "main" : "plain"}
          isDisabled={isBusy}
          onClick={() => {
            mustFocus.current = true;
            void onAdvance(state);
          }}
        >
          {place === "instead" ? "Set" : "Advance"}
          <span class="visually-hidden"> to {state}</span>
        </Button>
      )}
    </li>
  );
  const of = (...places: readonly TimelineEntry["place"][]) =>
    entries.filter(({ place }) => places.includes(place));
  const ahead = of("next", "later");
  const instead = of("instead");
  return (
    <ol class={styles.timeline}>
      {of(...BEHIND).map(step)}
      {ahead.length + instead.length > 0 && (
        <li class={styles.ahead}>
          {ahead.length > 0 && <ol>{ahead.map(step)}</ol>}
          {instead.length > 0 && (
            <>
              <span class={styles.fork} />
              <p class="soft">
                {ahead.length > 0 ? `Instead of ${ahead.at(-1)?.state}:` : "It can still become:"}
              </p>
              <ul>{instead.map(step)}</ul>
            </>
          )}
        </li>
      )}
    </ol>
  );
}

function undated(place: TimelineEntry["place"], isAnswered: boolean): string {
  if (!isAnswered) return "the answer is missing";
  return place === "unproven" ? "not in the record" : "the record does not say when";
}
