import { CLOCKS_APART_MAX_MS, type Clock } from "../../lib/clock.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { type SegmentSink, WRITE_MS_MAX } from "../../lib/trades/put-trades.ts";
import { DamagedSegment, keyText } from "../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnPartition, readKey } from "../../lib/trades/segment-key.ts";
import { RECENT_MS, RESUME_MS_MAX } from "../../lib/trades/trade-reader.ts";
import type { SegmentKey } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";
import { type Compaction, compactionOf, type StoredStretch } from "./compaction.ts";

/** A market is compacted minute by minute, a few at once, so that only those are held in memory. */
export const MINUTE_MS = 60_000;
const MINUTES_AT_ONCE = 4;

/** The minute, since the epoch, of an instant in milliseconds. */
export const minuteOf = (instantMs: number): number => Math.floor(instantMs / MINUTE_MS);

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

/** A market's segments, as compaction reads and changes them. */
export interface CompactedStore extends SegmentSink {
  /** The segments that listings read and that end in a span, with every acknowledged write. */
  segmentsWithin(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
  /** Removes segments; gives up when the signal is aborted. */
  removeAll(keys: readonly SegmentKey[], signal?: AbortSignal): Promise<void>;
}

/** The stretches of a market to look at. */
export interface RehearsalJob {
  readonly store: CompactedStore;
  readonly symbol: string;
  /** The minutes in which a stretch may need a compaction; see {@link minuteOf}. */
  readonly minutes: Iterable<number>;
  readonly clock: Clock;
  /** Aborted by Ctrl-C: the minutes under way are finished, and the others are left. */
  readonly stop: AbortSignal;
}

export interface CompactionJob extends RehearsalJob {
  /** Waits, and throws once `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<unknown>;
  /** Receives a line of progress as each step and each pause begins. */
  readonly report: (line: string) => void;
}

/** The result of a compaction. */
export interface Compacted {
  /** Withdrawn trades that listings no longer have to skip. */
  tradeCount: number;
  /** Stretches of two seconds that were compacted. */
  stretchCount: number;
  /** Segments that listings read in those stretches, before and after. */
  readonly segments: { before: number; after: number };
  /** Stretches that were left: a segment is damaged, a record is not published yet, or a writer changed them meanwhile. */
  leftCount: number;
}

export const nothingCompacted = (): Compacted => ({
  tradeCount: 0,
  stretchCount: 0,
  segments: { before: 0, after: 0 },
  leftCount: 0,
});

/** A stretch after a step that changed it. */
interface SteppedStretch extends Pick<Compacted, "tradeCount" | "segments"> {
  /** Keys of all segments that were stored when the first step had ended. Only these are relied on, and removed. */
  readonly settled: ReadonlySet<string>;
  /** Whether withdrawals are left to remove. */
  readonly isDone: boolean;
}

/** One step of a compaction. */
interface Step {
  /** What the step does, for the operator. */
  readonly line: string;
  /** The segments of a stretch that it stores or removes. */
  readonly takes: (compaction: Compaction) => readonly StoredSegment[];
  /** Undefined for a rehearsal. */
  readonly does: "put" | "removeAll" | undefined;
  /** Whether the earlier steps have nothing left to do. */
  readonly isReady: (compaction: Compaction) => boolean;
}

/** The steps of a compaction, with a pause before each but the first. */
const STEPS: readonly [Step, ...Step[]] = [
  {
    line: "Storing what stays, and setting withdrawals apart",
    takes: ({ put }) => put,
    does: "put",
    isReady: () => true,
  },
  {
    line: "Removing trades that are withdrawn, or stored elsewhere",
    takes: ({ trades }) => trades,
    does: "removeAll",
    isReady: ({ put }) => put.length === 0,
  },
  {
    line: "Removing withdrawals",
    takes: ({ withdrawals }) => withdrawals,
    does: "removeAll",
    isReady: ({ put, trades }) => put.length + trades.length === 0,
  },
];

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
  const compacted = nothingCompacted();
  // Without minutes, one round says that there is nothing to do.
  for (let at = 0; at < Math.max(1, minutes.length); at += ROUND_MINUTES)
    await compactRound({ ...job, minutes: minutes.slice(at, at + ROUND_MINUTES) }, compacted);
  return compacted;
}

/** The compaction that {@link compact} would begin, as of one reading. Nothing is changed. */
export async function rehearse(job: RehearsalJob): Promise<Compacted> {
  const [first] = STEPS;
  const compacted = nothingCompacted();
  const { stretches, leftCount } = await takeStep({ ...first, does: undefined }, job, undefined);
  compacted.leftCount = leftCount;
  for (const stretch of stretches.values()) add(compacted, stretch);
  return compacted;
}

function add(compacted: Compacted, { tradeCount, segments }: SteppedStretch): void {
  compacted.tradeCount += tradeCount;
  compacted.stretchCount += 1;
  compacted.segments.before += segments.before;
  compacted.segments.after += segments.after;
}

async function compactRound(job: CompactionJob, compacted: Compacted): Promise<void> {
  let { minutes } = job;
  let before: ReadonlyMap<number, SteppedStretch> | undefined;
  for (const [at, step] of STEPS.entries()) {
    if (before !== undefined) {
      job.report(
        `Waiting ${SETTLE_MS / 1000} s, until the requests and imports' batches under way have ended …`,
      );
      await job.pause(SETTLE_MS, job.stop);
    }
    job.report(`${step.line} (step ${at + 1} of ${STEPS.length}) …`);
    const { stretches, leftCount } = await takeStep(step, { ...job, minutes }, before);
    compacted.leftCount += leftCount;
    for (const stretch of stretches.values()) if (stretch.isDone) add(compacted, stretch);
    before = new Map([...stretches].filter(([, { isDone }]) => !isDone));
    if (before.size === 0) return;
    minutes = [...before.keys()].map((stretch) => minuteOf(stretch * SEGMENT_SPAN_MS));
  }
}

/** What a step has done. */
interface StepEnd {
  /** The stretches that it changed, by their numbers. */
  readonly stretches: Map<number, SteppedStretch>;
  /** Stretches that it did not touch: damaged, not published yet, or changed since the first step. */
  leftCount: number;
}

/** Takes one step of a compaction. @param before the stretches that the step before has changed; none for the first. */
async function takeStep(
  step: Step,
  job: RehearsalJob,
  before: ReadonlyMap<number, SteppedStretch> | undefined,
): Promise<StepEnd> {
  const { stop } = job;
  const end: StepEnd = { stretches: new Map(), leftCount: 0 };
  const sorted = [...new Set(job.minutes)].sort((a, b) => a - b);
  for (let at = 0; at < sorted.length; at += MINUTES_AT_ONCE) {
    stop.throwIfAborted();
    const together = sorted.slice(at, at + MINUTES_AT_ONCE);
    const take = (minute: number) => retryStore(() => takeMinute(minute, step, job, before), stop);
    for (const { stretches, leftCount } of await Promise.all(together.map(take))) {
      for (const [stretch, stepped] of stretches) end.stretches.set(stretch, stepped);
      end.leftCount += leftCount;
    }
  }
  return end;
}

async function takeMinute(
  minute: number,
  step: Step,
  { store, symbol, clock }: RehearsalJob,
  before: ReadonlyMap<number, SteppedStretch> | undefined,
): Promise<StepEnd> {
  // As a writer's: what was read decides, so the changes must not come when the pauses of others have passed.
  const signal = AbortSignal.timeout(WRITE_MS_MAX);
  const span = { fromMs: minute * MINUTE_MS, toMs: (minute + 1) * MINUTE_MS - 1 };
  const [read, apart] = await Promise.all([
    store.segmentsWithin(symbol, span),
    store.withdrawals(symbol, span),
  ]);
  const apartBy = Map.groupBy(apart, stretchIn);
  const due: (readonly [stretch: number, stored: StoredStretch, compaction: Compaction])[] = [];
  let leftCount = 0;
  for (const [stretch, segments] of Map.groupBy(read, stretchIn)) {
    const known = before?.get(stretch);
    if (before !== undefined && known === undefined) continue;
    const stored = { read: segments, apart: apartBy.get(stretch) ?? [] };
    const compaction = readyCompaction(symbol, stored, clock(), step, known);
    if (compaction === "left") leftCount += 1;
    else if (compaction !== undefined) due.push([stretch, stored, compaction]);
  }
  const taken = due.flatMap(([, , compaction]) => step.takes(compaction));
  if (step.does !== undefined) await store[step.does](taken, signal);
  const stretches = new Map(
    due.map(([stretch, stored, compaction]) => [
      stretch,
      stepped(stored, compaction, step, before?.get(stretch)),
    ]),
  );
  return { stretches, leftCount };
}

/** How a step compacts a stretch; undefined when it need not, and "left" when the stretch must stay. */
function readyCompaction(
  symbol: string,
  stored: StoredStretch,
  now: number,
  step: Step,
  before: SteppedStretch | undefined,
): Compaction | "left" | undefined {
  try {
    const compaction = compactionOf(symbol, stored, now);
    if (compaction === undefined) return undefined;
    if (compaction === "unpublished") return "left";
    const isAsBefore = before === undefined || keysOf(stored).every((key) => before.settled.has(key));
    return isAsBefore && step.isReady(compaction) ? compaction : "left";
  } catch (error) {
    if (error instanceof DamagedSegment) return "left";
    throw error;
  }
}

const stretchIn = ({ sort }: StoredSegment): number => stretchOf(readKey(sort).last);

const keysOf = ({ read, apart }: StoredStretch): string[] => [...read, ...apart].map(keyText);

function stepped(
  stored: StoredStretch,
  { put, trades, withdrawals, withdrawnCount }: Compaction,
  step: Step,
  before: SteppedStretch | undefined,
): SteppedStretch {
  const isDone = step === STEPS.at(-1) || (before !== undefined && withdrawals.length === 0);
  if (before !== undefined) return { ...before, isDone };
  const added = put.filter(({ partition }) => !isWithdrawnPartition(partition)).length;
  const count = stored.read.length;
  return {
    settled: new Set([...keysOf(stored), ...put.map(keyText)]),
    tradeCount: withdrawnCount,
    segments: { before: count, after: count + added - trades.length - withdrawals.length },
    isDone,
  };
}
