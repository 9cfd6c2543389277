import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { type Compaction, compactionOf, type StoredStretch } from "../../lib/trades/compaction.ts";
import { type SegmentSink, type Span, WRITE_MS_MAX } from "../../lib/trades/put-trades.ts";
import { DamagedSegment } from "../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS, stretchOf } from "../../lib/trades/segment.ts";
import { readKey } from "../../lib/trades/segment-key.ts";
import type { SegmentKey } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";

/** A market is compacted minute by minute, a few at once, so that only those are held in memory. */
const MINUTE_MS = 60_000;
const MINUTES_AT_ONCE = 4;

/**
 * The pause before each removal. After it, no writer is under way that began before the withdrawals were set apart, and
 * no page of a listing that read a segment which has been removed since.
 */
export const SETTLE_MS = WRITE_MS_MAX + 5_000;

/** The minute, since the epoch, of an instant in milliseconds. */
export const minuteOf = (instantMs: number): number => Math.floor(instantMs / MINUTE_MS);

/** A market's segments, as compaction reads and changes them. */
export interface CompactedStore extends SegmentSink {
  /** The segments that listings read and that end in a span, with every acknowledged write. */
  segmentsWithin(symbol: string, span: Span): Promise<readonly StoredSegment[]>;
  removeAll(keys: readonly SegmentKey[]): Promise<void>;
}

export interface CompactionJob {
  readonly store: CompactedStore;
  readonly symbol: string;
  /** The minutes in which trades may be withdrawn; see {@link minuteOf}. */
  readonly minutes: Iterable<number>;
  readonly clock: Clock;
  /** Waits, and throws once `stop` is aborted. */
  readonly pause: (ms: number, stop: AbortSignal) => Promise<unknown>;
  /** Aborted by Ctrl-C: the minutes under way are finished, and the others are left. */
  readonly stop: AbortSignal;
  /** Receives a line of progress as each step and each pause begins. */
  readonly report: (line: string) => void;
}

/** The result of a compaction. */
export interface Compacted {
  /** Withdrawn trades that listings no longer have to skip. */
  readonly tradeCount: number;
  /**
   * Stretches of two seconds that were left as they are: a segment is damaged, a record is not published yet, or a
   * writer changed them meanwhile.
   */
  readonly leftCount: number;
}

/** A digest of the withdrawn trades of each stretch, by the stretch's number. */
type Stretches = ReadonlyMap<number, string>;

interface Step {
  readonly line: string;
  /** Whether the earlier steps have nothing left to do. */
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
    line: "Removing withdrawn trades",
    isReady: ({ put }) => put.length === 0,
    act: (store, compactions) => store.removeAll(compactions.flatMap(({ trades }) => trades)),
  },
  {
    line: "Removing their withdrawals",
    isReady: ({ put, trades }) => put.length + trades.length === 0,
    act: (store, compactions) => store.removeAll(compactions.flatMap(({ withdrawals }) => withdrawals)),
  },
];

/**
 * Deletes withdrawn trades, and moves their withdrawals to a place that only writers read, so that listings read
 * neither. At no moment does a listing show a withdrawn trade or miss another one. The compaction may be stopped
 * anywhere; run again, it continues.
 *
 * @throws {unknown} the reason of `stop` once that is aborted, or the store's error.
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
  report(`Waiting ${SETTLE_MS / 1000} s, until the requests and imports' batches under way have ended …`);
  await pause(SETTLE_MS, stop);
}

interface Due {
  readonly stretch: number;
  readonly state: string;
  readonly compaction: Compaction;
}

/** One step of a compaction, minute by minute. */
class StepTaken {
  /** The stretches that the step has changed, with the digests of what is withdrawn in them. */
  readonly stretches = new Map<number, string>();
  /** The withdrawn trades in those stretches. */
  tradeCount = 0;
  /** Stretches that the step did not touch: damaged, not published yet, or changed since the step before. */
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

  /** The step's work in a stretch; undefined when there is none, and "left" when the stretch must stay as it is. */
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
