import type { CountinghouseError } from "./error.ts";
import { TIMER_MS_MAX } from "./platform.ts";
import { aNumber, holdTo } from "./rules.ts";

/** When requests are repeated, and for how long. */
export interface RetryOptions {
  /** The most attempts that may fail, the first one included. A 429 is not a failure. Default: 6. */
  readonly attemptsMax?: number;
  /** The longest time from the first attempt until the last one begins, without waits for tokens, in milliseconds. Default: 120,000. */
  readonly totalMs?: number;
  /** The wait before the first repetition, in milliseconds, if the service does not ask for more. Default: 250. */
  readonly baseMs?: number;
  /** The wait doubles with each repetition until it is as long as this or as told, in milliseconds. Default: 30,000. */
  readonly waitMsMax?: number;
  /**
   * The longest wait for tokens before an attempt, in milliseconds. A request that would wait longer is sent at once, and
   * the answer says whether the limit is still the same. Default: 600,000.
   */
  readonly tokensMsMax?: number;
}

const FOREVER = Number.POSITIVE_INFINITY;

/** What {@link RetryOptions} must be. */
const retryRules = {
  attemptsMax: aNumber(1, FOREVER),
  totalMs: aNumber(0, FOREVER),
  baseMs: aNumber(0, TIMER_MS_MAX),
  waitMsMax: aNumber(0, TIMER_MS_MAX),
  tokensMsMax: aNumber(0, FOREVER),
} as const;

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
  /** The longest wait for tokens before an attempt, in milliseconds. */
  readonly tokensMsMax: number;
  readonly #options: Required<Omit<RetryOptions, "tokensMsMax">>;
  readonly #random: () => number;

  /** @throws {TypeError} for options that cannot be meant. */
  constructor(options: RetryOptions, random: () => number) {
    holdTo(retryRules, options, "retry");
    const { attemptsMax = 6, totalMs = 120_000, baseMs = 250, waitMsMax = 30_000 } = options;
    this.#options = { attemptsMax, totalMs, baseMs, waitMsMax };
    this.tokensMsMax = options.tokensMsMax ?? 600_000;
    this.#random = random;
  }

  /** Milliseconds until the next attempt; undefined when there is none. */
  waitMs({ failures, elapsedMs, toldMs, isLimited }: FailedAttempt): number | undefined {
    const { attemptsMax, totalMs } = this.#options;
    if (!isLimited && failures >= attemptsMax) return undefined;
    // Waiting as a limit says is enough, unless others take the tokens. Everything else is repeated ever more slowly.
    const isEnough = isLimited && toldMs !== undefined && failures === 1;
    const waitMs = isEnough ? toldMs : this.#backoffMs(failures, toldMs ?? 0, isLimited);
    return elapsedMs + waitMs > totalMs ? undefined : waitMs;
  }

  /** Exponential backoff. Up to half of it is added at random: clients spread, and each pause is longer than the last. */
  #backoffMs(failures: number, toldMs: number, isLimited: boolean): number {
    const { baseMs, waitMsMax } = this.#options;
    // The wait of a limit is exact and need not grow; that of another failure is a guess.
    const firstMs = isLimited ? baseMs : Math.max(baseMs, toldMs);
    const doubledMs = Math.min(firstMs * 2 ** (failures - 1), Math.max(waitMsMax, toldMs));
    return Math.max(toldMs, Math.ceil(doubledMs * (1 + this.#random() / 2)));
  }
}

/** Whether a failure may pass by itself. */
export const isRepeatable = ({ code, status }: CountinghouseError): boolean =>
  code === "network_error" ||
  code === "timeout" ||
  (status !== undefined && (status === 429 || status >= 500));
