import type { LiveState } from "../live-state.ts";
import { useLive, useNow } from "../use-live.ts";
import { leftText } from "./countdown.ts";
import styles from "./market.module.css";
import type { Wait } from "./watched-platform.ts";

/** Shorter pauses are over before anybody has read of them. */
const SAID_FROM_MS = 1_000;

function causeOf({ cause, short = [] }: Wait): string {
  const budgets = short.map((name) => `the budget of a ${name}`).join(" and ") || "a budget";
  if (cause === "refused") return `Answered 429: too few tokens in ${budgets}.`;
  return cause === "tokens" ? "Waiting for tokens, ahead of a 429." : "The request failed.";
}

/** A countdown of a pause that lasts, on a line that stays. A screen reader hears of it once, and may ask for the time. */
export function WaitNote({ live }: { readonly live: LiveState<Wait | undefined> }) {
  const begun = useLive(live);
  const wait = begun !== undefined && begun.untilMs - begun.fromMs >= SAID_FROM_MS ? begun : undefined;
  const now = useNow(() => wait !== undefined);
  const leftMs = wait === undefined ? 0 : wait.untilMs - Math.max(now, wait.fromMs);
  return (
    <div class={styles.wait}>
      <p class="visually-hidden" role="status">
        {wait !== undefined && `${causeOf(wait)} It goes on by itself.`}
      </p>
      {wait !== undefined && (
        <p>
          <strong class={wait.cause === "tokens" ? undefined : "warn"}>{causeOf(wait)}</strong> It goes on by
          itself in{" "}
          <span class="figures" role="timer">
            {leftText(leftMs)}
          </span>
        </p>
      )}
    </div>
  );
}
