import { inTime } from "./in-time.ts";
import { type CallOptions, callRules } from "./options.ts";
import { type Platform, TIMER_MS_MAX } from "./platform.ts";
import { aNumber, anObject, holdTo } from "./rules.ts";

/** From where a follow goes on: plain data, to be kept as JSON. */
export interface FollowResume {
  /** Of transactions: changes before this instant are not given any more. Microseconds since 1970. */
  readonly sinceMicros?: number | undefined;
  /** What is known of each record that was given and may change, by its id. */
  readonly seen: Readonly<Record<string, string>>;
}

/** How records are followed. */
export interface FollowOptions extends CallOptions {
  /** Goes on where another follow has ended: its `resume`. */
  readonly resume?: FollowResume | undefined;
  /** From one look at what may soon change to the next, in milliseconds. Default: 5,000; of passes 60,000. */
  readonly everyMs?: number | undefined;
}

/** What holds of a kind of record. */
export interface FollowRules {
  readonly everyMs: number;
  /** What is known of a record looks so. */
  readonly known: RegExp;
}

/**
 * The changes of records as they come, each version that is seen once. `resume` goes on right after the last one that was
 * given. A failure or an abort ends the loop; another loop over the same follow goes on.
 */
export abstract class Follow<Item, Source = unknown> implements AsyncIterable<Item> {
  protected readonly source: Source;
  protected readonly seen: Map<string, string>;
  protected readonly everyMs: number;
  protected readonly signal: AbortSignal | undefined;
  protected readonly now: () => number;
  readonly #sleep: Platform["sleep"];

  /** @throws {TypeError} for options that cannot be meant. */
  constructor(
    source: Source,
    { now, sleep }: Pick<Platform, "now" | "sleep">,
    options: FollowOptions,
    { everyMs, known }: FollowRules,
  ) {
    holdTo({ ...callRules, everyMs: aNumber(1, TIMER_MS_MAX) }, options);
    const { resume = { seen: {} } } = options;
    const isKnown = (text: unknown): boolean => typeof text === "string" && known.test(text);
    if (!anObject.isKept(resume?.seen) || !Object.values(resume.seen).every(isKnown)) throw notOfFollow();
    [this.source, this.now, this.#sleep] = [source, now, sleep];
    this.seen = new Map(Object.entries(resume.seen));
    this.everyMs = options.everyMs ?? everyMs;
    this.signal = options.signal;
  }

  /** Goes on right after the last change that was given: nothing is repeated, nothing is lost. */
  get resume(): FollowResume {
    return { seen: Object.fromEntries(this.seen) };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { signal } = this;
    for (;;) {
      signal?.throwIfAborted();
      const restMs = yield* this.look();
      if (restMs === undefined) return;
      if (restMs > 0) await inTime(async (stop) => await this.#sleep(restMs, stop), { signal });
    }
  }

  /** Gives what has changed, and notes each in `seen` before. @returns the rest until the next look; undefined for an end. */
  protected abstract look(): AsyncGenerator<Item, number | undefined, undefined>;
}

/** The error for a resume of something else. */
export const notOfFollow = (): TypeError => new TypeError("resume: must be the resume of such a follow.");
