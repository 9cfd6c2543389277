import type { Clock } from "../../lib/clock.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { type SegmentSink, WRITE_MS_MAX } from "../../lib/trades/put-trades.ts";
import { DamagedSegment, keyText } from "../../lib/trades/read-segment.ts";
import { stretchOf } from "../../lib/trades/segment.ts";
import { isWithdrawnPartition, readKey } from "../../lib/trades/segment-key.ts";
import type { SegmentKey } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";
import { type Compaction, compactionOf, type StoredStretch } from "./compaction.ts";

/** A market is compacted minute by minute, a few at once, so that only those are held in memory. */
export const MINUTE_MS = 60_000;
const MINUTES_AT_ONCE = 4;

/** The minute, since the epoch, of an instant in milliseconds. */
export const minuteOf = (instantMs: number): number => Math.floor(instantMs / MINUTE_MS);

/** A market's segments, as compaction reads and changes them. */
export interface CompactedStore extends SegmentSink {
  /** The segments that listings read and that end in a span, with every acknowledged write. */
  segmentsWithin(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
  /** Removes segments; gives up when the signal is aborted. */
  removeAll(keys: readonly SegmentKey[], signal?: AbortSignal): Promise<void>;
}

/** What a step needs: a market, and how to reach it. */
export interface StepJob {
  readonly store: CompactedStore;
  readonly symbol: string;
  readonly clock: Clock;
  /** Aborted by Ctrl-C: the minutes under way are finished, and the others are left. */
  readonly stop: AbortSignal;
}

/** A stretch after a step that changed it. */
export interface SteppedStretch {
  /** Keys of all segments that were stored when the first step had ended. Only these are relied on, and removed. */
  readonly settled: ReadonlySet<string>;
  /** Withdrawn trades that listings no longer have to skip. */
  readonly tradeCount: number;
  /** Segments that listings read before the compaction, and after it. */
  readonly segments: { readonly before: number; readonly after: number };
  /** Whether withdrawals are left to remove. */
  readonly isDone: boolean;
}

/** The stretches that a step changed, by their numbers. */
export type Stretches = ReadonlyMap<number, SteppedStretch>;

interface Step {
  /** What the step does, for the operator. */
  readonly line: string;
  /** Whether the earlier steps have nothing left to do. */
  readonly isReady: (compaction: Compaction) => boolean;
  readonly act: (
    store: CompactedStore,
    compactions: readonly Compaction[],
    signal: AbortSignal,
  ) => Promise<void>;
}

/** The steps of a compaction, with a pause before each but the first. */
export const STEPS: readonly [Step, ...Step[]] = [
  {
    line: "Storing what stays, and setting withdrawals apart",
    isReady: () => true,
    act: (store, compactions, signal) =>
      store.put(
        compactions.flatMap(({ put }) => put),
        signal,
      ),
  },
  {
    line: "Removing trades that are withdrawn, or stored elsewhere",
    isReady: ({ put }) => put.length === 0,
    act: (store, compactions, signal) =>
      store.removeAll(
        compactions.flatMap(({ trades }) => trades),
        signal,
      ),
  },
  {
    line: "Removing withdrawals",
    isReady: ({ put, trades }) => put.length + trades.length === 0,
    act: (store, compactions, signal) =>
      store.removeAll(
        compactions.flatMap(({ withdrawals }) => withdrawals),
        signal,
      ),
  },
];

interface Due {
  readonly stretch: number;
  readonly stored: StoredStretch;
  readonly compaction: Compaction;
}

/** One step of a compaction, minute by minute. */
export class StepTaken {
  /** The stretches that the step has changed. */
  readonly stretches = new Map<number, SteppedStretch>();
  /** Stretches that the step did not touch: damaged, not published yet, or changed since the first step. */
  leftCount = 0;
  readonly #step: Step;
  readonly #job: StepJob;
  readonly #before: Stretches | undefined;

  /** @param before the stretches that the step before has changed; undefined for the first step. */
  constructor(step: Step, job: StepJob, before: Stretches | undefined) {
    this.#step = step;
    this.#job = job;
    this.#before = before;
  }

  async overAll(minutes: ReadonlySet<number>): Promise<void> {
    const { stop } = this.#job;
    const sorted = [...minutes].sort((a, b) => a - b);
    for (let at = 0; at < sorted.length; at += MINUTES_AT_ONCE) {
      stop.throwIfAborted();
      const together = sorted.slice(at, at + MINUTES_AT_ONCE);
      await Promise.all(together.map((minute) => retryStore(() => this.#over(minute), stop)));
    }
  }

  async #over(minute: number): Promise<void> {
    const { store, symbol } = this.#job;
    // As a writer's: what was read decides, so the changes must not come when the pauses of others have passed.
    const signal = AbortSignal.timeout(WRITE_MS_MAX);
    const span = { fromMs: minute * MINUTE_MS, toMs: (minute + 1) * MINUTE_MS - 1 };
    const [read, apart] = await Promise.all([
      store.segmentsWithin(symbol, span),
      store.withdrawals(symbol, span),
    ]);
    const apartBy = Map.groupBy(apart, stretchIn);
    const judged = [...Map.groupBy(read, stretchIn)].map(([stretch, segments]) =>
      this.#judge(stretch, { read: segments, apart: apartBy.get(stretch) ?? [] }),
    );
    const due = judged.filter((one) => one !== undefined && one !== "left");
    const compactions = due.map(({ compaction }) => compaction);
    await this.#step.act(store, compactions, signal);
    for (const one of due)
      this.stretches.set(one.stretch, stepped(one, this.#step, this.#before?.get(one.stretch)));
    this.leftCount += judged.filter((one) => one === "left").length;
  }

  /** The step's work in a stretch; undefined when there is none, and "left" when the stretch must stay as it is. */
  #judge(stretch: number, stored: StoredStretch): Due | "left" | undefined {
    const before = this.#before?.get(stretch);
    if (this.#before !== undefined && before === undefined) return undefined;
    try {
      const compaction = compactionOf(this.#job.symbol, stored, this.#job.clock());
      if (compaction === undefined) return undefined;
      if (compaction === "unpublished") return "left";
      const isAsBefore = before === undefined || keysOf(stored).every((key) => before.settled.has(key));
      return isAsBefore && this.#step.isReady(compaction) ? { stretch, stored, compaction } : "left";
    } catch (error) {
      if (error instanceof DamagedSegment) return "left";
      throw error;
    }
  }
}

const stretchIn = ({ sort }: StoredSegment): number => stretchOf(readKey(sort).last);

const keysOf = ({ read, apart }: StoredStretch): string[] => [...read, ...apart].map(keyText);

function stepped(
  { stored, compaction }: Due,
  step: Step,
  before: SteppedStretch | undefined,
): SteppedStretch {
  const { put, trades, withdrawals, withdrawnCount } = compaction;
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
