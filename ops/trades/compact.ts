import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { type Compaction, compactionOf, type StoredStretch } from "../../lib/trades/compaction.ts";
import { type SegmentSink, type Span, WRITE_MS_MAX } from "../../lib/trades/put-trades.ts";
import { DamagedSegment } from "../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../lib/trades/segment.ts";
import { readKey } from "../../lib/trades/segment-key.ts";
import type { SegmentKey } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import { retryStore } from "../import/retry-store.ts";

/** A market is compacted minute by minute, some at once: so much of it is held in memory. */
const MINUTE_MS = 60_000;
const MINUTES_AT_ONCE = 4;

/**
 * The pause before anything is taken out. By its end no writer is under way that began before the withdrawals stood
 * apart, and no page of a listing that read a segment which has gone since.
 */
export const SETTLE_MS = WRITE_MS_MAX + 5_000;

/** The minute, since the epoch, of an instant in milliseconds. */
export const minuteOf = (instantMs: number): number => Math.floor(instantMs / MINUTE_MS);

/** A market's segments, as compaction reads and changes them. */
export interface CompactedStore extends SegmentSink {
  /** Those that listings read and that end in a span, as of every write that has been answered. */
  segmentsWithin(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
  removeAll(keys: readonly SegmentKey[]): Promise<void>;
}

export interface CompactionJob {
  readonly store: CompactedStore;
  readonly symbol: string;
  /** The minutes in which something may be withdrawn; see {@link minuteOf}. */
  readonly minutes: Iterable<number>;
  readonly clock: Clock;
  /** Waits, and throws once `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<unknown>;
  /** Aborted by Ctrl-C: what is under way is finished, and the rest left. */
  readonly stop: AbortSignal;
  /** Receives a line for the person who waits, as each step and each pause begins. */
  readonly report: (line: string) => void;
}

/** What compaction did. */
export interface Compacted {
  /** Withdrawn trades that listings pass over no longer. */
  readonly tradeCount: number;
  /**
   * Stretches of two seconds that were left as they are: a segment is damaged, a record not published yet, or writers came
   * in between.
   */
  readonly leftCount: number;
}

/** By the number of a stretch: what is withdrawn there, as a digest. */
type Stretches = ReadonlyMap<number, string>;

interface Step {
  readonly line: string;
  /** Whether the steps before have done all that they have to do. */
  readonly isReady: (compaction: Compaction) => boolean;
  readonly act: (store: CompactedStore, compactions: readonly Compaction[]) => Promise<void>;
}

const STEPS: readonly Step[] = [
  {
    line: "Setting withdrawals apart",
    isReady: () => true,
    act: (store, compactions) => store.put(compactions.flatMap(({ put }) => put)),
  },
  {
    line: "Taking withdrawn trades out",
    isReady: ({ put }) => put.length === 0,
    act: (store, compactions) => store.removeAll(compactions.flatMap(({ trades }) => trades)),
  },
  {
    line: "Taking their withdrawals out",
    isReady: ({ put, trades }) => put.length + trades.length === 0,
    act: (store, compactions) => store.removeAll(compactions.flatMap(({ withdrawals }) => withdrawals)),
  },
];

/**
 * Takes what is withdrawn out of the way of listings, for good. Its withdrawals stand apart from then on, where writers
 * alone look. A listing meets no moment at which a withdrawn trade is shown or another one is missing. It may be stopped
 * anywhere; done again, it goes on.
 *
 * @throws {unknown} the reason of `stop` once that is aborted, or what the store says.
 */
export async function compact(job: CompactionJob): Promise<Compacted> {
  let minutes: Iterable<number> = job.minutes;
  let stretches: Stretches | undefined;
  let [tradeCount, leftCount] = [0, 0];
  for (const [at, step] of STEPS.entries()) {
    job.report(`${step.line} (step ${at + 1} of ${STEPS.length}) …`);
    const taken = new StepTaken(step, job, stretches);
    await taken.overAll(new Set(minutes));
    ({ stretches, tradeCount } = taken);
    leftCount += taken.leftCount;
    if (stretches.size === 0) break;
    minutes = [...stretches.keys()].map((stretch) => minuteOf(stretch * SEGMENT_SPAN_MS));
    if (at < STEPS.length - 1) await settle(job);
  }
  return { tradeCount, leftCount };
}

async function settle({ report, pause, stop }: CompactionJob): Promise<void> {
  report(`Waiting ${SETTLE_MS / 1000} s, until the listings and imports that are under way have gone on …`);
  await pause(SETTLE_MS, stop);
}

interface Due {
  readonly stretch: number;
  readonly state: string;
  readonly compaction: Compaction;
}

/** One step of a compaction, minute by minute. */
class StepTaken {
  /** The stretches that the step has done its part in. */
  readonly stretches = new Map<number, string>();
  /** Withdrawn trades in them. */
  tradeCount = 0;
  /** Stretches that it did not touch: damaged, not published yet, or changed since the step before. */
  leftCount = 0;
  readonly #step: Step;
  readonly #job: CompactionJob;
  readonly #before: Stretches | undefined;

  constructor(step: Step, job: CompactionJob, before: Stretches | undefined) {
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
    await this.#step.act(
      store,
      due.map(({ compaction }) => compaction),
    );
    for (const { stretch, state } of due) this.stretches.set(stretch, state);
    this.tradeCount += due.reduce((sum, { compaction }) => sum + compaction.withdrawn.length, 0);
    this.leftCount += judged.filter((one) => one === "left").length;
  }

  /** What is to be done in a stretch, unless nothing is or it has to be left. */
  #judge(stretch: number, segments: StoredStretch): Due | "left" | undefined {
    if (this.#before?.has(stretch) === false) return undefined;
    try {
      const compaction = compactionOf(this.#job.symbol, segments, this.#job.clock());
      if (compaction === undefined) return undefined;
      if (compaction === "unpublished") return "left";
      const state = stateOf(compaction);
      const isAsBefore = this.#before === undefined || this.#before.get(stretch) === state;
      return isAsBefore && this.#step.isReady(compaction) ? { stretch, state, compaction } : "left";
    } catch (error) {
      if (error instanceof DamagedSegment) return "left";
      throw error;
    }
  }
}

const stretchIn = ({ sort }: StoredSegment): number => stretchOf(readKey(sort).last);

const stateOf = ({ withdrawn }: Compaction): string =>
  createHash("sha256").update(withdrawn.join("\n")).digest("base64url");
