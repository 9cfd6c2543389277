/** When requests are repeated, and for how long. */
export interface RetryOptions {
  /** The most attempts that may fail, the first one included. A 429 is not a failure. Default: 6. */
  readonly attemptsMax?: number;
  /** The longest time from the first attempt until the last one begins, in milliseconds. Default: 120,000. */
  readonly totalMs?: number;
  /** The longest wait before the first repetition, in milliseconds; it doubles with each one. Default: 500. */
  readonly baseMs?: number;
  /** The longest wait that is not told by the service, in milliseconds. Default: 30,000. */
  readonly waitMsMax?: number;
}

/** What is known when an attempt has failed. */
export interface FailedAttempt {
  /** How many attempts of this kind have failed, this one included: those that a limit refused, or the others. */
  readonly failures: number;
  /** Milliseconds since the first attempt began. */
  readonly elapsedMs: number;
  /** How long the service asks to wait, in milliseconds. */
  readonly toldMs: number | undefined;
  /** Whether it was refused by a limit. */
  readonly isLimited: boolean;
}

/** Decides how long to wait before an attempt is repeated. */
export class RetryPolicy {
  readonly #options: Required<RetryOptions>;
  readonly #random: () => number;

  constructor(options: RetryOptions, random: () => number) {
    const { attemptsMax = 6, totalMs = 120_000, baseMs = 500, waitMsMax = 30_000 } = options;
    this.#options = { attemptsMax, totalMs, baseMs, waitMsMax };
    this.#random = random;
  }

  /** Milliseconds until the next attempt; undefined when there is none. */
  waitMs({ failures, elapsedMs, toldMs, isLimited }: FailedAttempt): number | undefined {
    const { attemptsMax, totalMs } = this.#options;
    if (!isLimited && failures >= attemptsMax) return undefined;
    // Waiting as a limit says is enough, unless others take the tokens. Everything else is repeated ever more slowly.
    const isEnough = isLimited && toldMs !== undefined && failures === 1;
    const waitMs = isEnough ? toldMs : Math.max(toldMs ?? 0, this.#backoffMs(failures));
    return elapsedMs + waitMs > totalMs ? undefined : waitMs;
  }

  /** Exponential backoff with full jitter: any time up to the longest. */
  #backoffMs(failures: number): number {
    const { baseMs, waitMsMax } = this.#options;
    return Math.ceil(this.#random() * Math.min(waitMsMax, baseMs * 2 ** (failures - 1)));
  }
}
