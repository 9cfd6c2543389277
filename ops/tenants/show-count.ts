import type { Clock } from "../../lib/clock.ts";
import { inThousands } from "../../local/records/tally.ts";
import { showProgress } from "../terminal/show-progress.ts";

const REDRAW_MS = 200;
const PLAIN_LINE_MS = 5_000;

/** Shows how many items a count has read, on standard error. */
export interface CountProgress {
  readonly add: (items: number) => void;
  readonly end: () => void;
}

/** A line that changes on a terminal; elsewhere a new one every five seconds. */
export function showCount(clock: Clock): CountProgress {
  let items = 0;
  let shownAt = clock();
  const intervalMs = process.stderr.isTTY ? REDRAW_MS : PLAIN_LINE_MS;
  const add = (more: number) => {
    items += more;
    if (clock() - shownAt < intervalMs) return;
    shownAt = clock();
    const text = `${inThousands(items)} items read`;
    if (process.stderr.isTTY) showProgress(text);
    else console.error(text);
  };
  return { add, end: () => showProgress("") };
}
