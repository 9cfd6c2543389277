import { CLOCKS_APART_MAX_MS } from "../../lib/clock.ts";
import { WRITE_MS_MAX } from "../../lib/trades/put-trades.ts";
import { SEGMENT_SPAN_MS } from "../../lib/trades/segment.ts";
import { RECENT_MS, RESUME_MS_MAX } from "../../lib/trades/trade-reader.ts";
import { minuteOf, STEPS, type StepJob, type SteppedStretch, StepTaken } from "./compaction-step.ts";

/** The minutes of a round. What a round changes is remembered from step to step, by the keys of its segments. */
const ROUND_MINUTES = 3 * 24 * 60;

/** The gateway's own limit on the time of a request. */
const REQUEST_MS_MAX = 30_000;

/**
 * The pause before each removal. After it, no writer and no other compaction is under way with what it read before the
 * segments that stay were stored. No copy of the table lacks these. No page of a listing is under way that began where
 * a cursor from before says: a cursor is relied on for {@link RESUME_MS_MAX}, by clocks that may differ.
 */
export const SETTLE_MS = Math.max(
  WRITE_MS_MAX + CLOCKS_APART_MAX_MS,
  RECENT_MS + RESUME_MS_MAX + CLOCKS_APART_MAX_MS + REQUEST_MS_MAX,
);

export interface CompactionJob extends StepJob {
  /** The minutes in which a stretch may need it; see {@link minuteOf}. */
  readonly minutes: Iterable<number>;
  /** Waits, and throws once `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<unknown>;
  /** Receives a line of progress as each step and each pause begins. */
  readonly report: (line: string) => void;
}

/** The result of a compaction. */
export interface Compacted {
  /** Withdrawn trades that listings no longer have to skip. */
  readonly tradeCount: number;
  /** Stretches of two seconds that were compacted. */
  readonly stretchCount: number;
  /** Segments that listings read in those stretches, before and after. */
  readonly segments: { readonly before: number; readonly after: number };
  /**
   * Stretches that were left as they are: a segment is damaged, a record is not published yet, or a writer changed them
   * meanwhile.
   */
  readonly leftCount: number;
}

/**
 * Compacts a market. Withdrawn trades are deleted, and their withdrawals moved to a place that only writers read, so
 * that listings read neither. A stretch that was stored again in other segments, or in needlessly small ones, is stored
 * as one import of all its trades stores it. At no moment does a listing show a withdrawn trade, miss another one or
 * see one twice. The compaction may be stopped anywhere; run again, it continues.
 *
 * @throws {unknown} the reason of `stop` once that is aborted, or the store's error.
 */
export async function compact(job: CompactionJob): Promise<Compacted> {
  const minutes = [...new Set(job.minutes)].sort((a, b) => a - b);
  const tally = new Tally();
  // Without minutes, one round says that there is nothing to do.
  for (let at = 0; at < Math.max(1, minutes.length); at += ROUND_MINUTES)
    await compactRound(job, minutes.slice(at, at + ROUND_MINUTES), tally);
  return tally;
}

/** The compaction that {@link compact} would begin, as of one reading. Nothing is changed. */
export async function rehearse(job: StepJob & Pick<CompactionJob, "minutes">): Promise<Compacted> {
  const [first] = STEPS;
  const taken = new StepTaken({ ...first, act: async () => {} }, job, undefined);
  await taken.overAll(new Set(job.minutes));
  const tally = new Tally();
  tally.leftCount = taken.leftCount;
  for (const stretch of taken.stretches.values()) tally.add(stretch);
  return tally;
}

class Tally implements Compacted {
  tradeCount = 0;
  stretchCount = 0;
  leftCount = 0;
  readonly segments = { before: 0, after: 0 };

  add({ tradeCount, segments }: SteppedStretch): void {
    this.tradeCount += tradeCount;
    this.stretchCount += 1;
    this.segments.before += segments.before;
    this.segments.after += segments.after;
  }
}

async function compactRound(job: CompactionJob, round: Iterable<number>, tally: Tally): Promise<void> {
  let minutes = round;
  let before: StepTaken | undefined;
  for (const [at, step] of STEPS.entries()) {
    if (before !== undefined) await settle(job);
    job.report(`${step.line} (step ${at + 1} of ${STEPS.length}) …`);
    const taken = new StepTaken(step, job, before && notDone(before));
    await taken.overAll(new Set(minutes));
    tally.leftCount += taken.leftCount;
    for (const stretch of taken.stretches.values()) if (stretch.isDone) tally.add(stretch);
    const next = notDone(taken);
    if (next.size === 0) return;
    minutes = [...next.keys()].map((stretch) => minuteOf(stretch * SEGMENT_SPAN_MS));
    before = taken;
  }
}

const notDone = ({ stretches }: StepTaken): Map<number, SteppedStretch> =>
  new Map([...stretches].filter(([, { isDone }]) => !isDone));

async function settle({ report, pause, stop }: CompactionJob): Promise<void> {
  report(`Waiting ${SETTLE_MS / 1000} s, until the requests and imports' batches under way have ended …`);
  await pause(SETTLE_MS, stop);
}
