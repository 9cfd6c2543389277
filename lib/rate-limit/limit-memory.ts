import { RecentMap } from "../recent-map.ts";
import { type EarlyRetries, noEarlyRetries } from "./early-retries.ts";
import type { FullAgainAt } from "./token-bucket.ts";

const OWNERS_MAX = 1_000;

/** What one instance remembers of one owner's limit. */
export interface OwnerMemory {
  /**
   * The state that the store showed last, undefined before the first. Others may have charged since, and answers may
   * overtake each other: it was true, and tells the least that there is to wait.
   */
  fullAgainAt: FullAgainAt | undefined;
  /** The state of the buckets of this instance alone, which stand in while the store is down. */
  localFullAgainAt: FullAgainAt;
  earlyRetries: EarlyRetries;
  /** Until when the store is left alone because this owner's item is written too often; epoch ms. */
  throttledUntil: number;
  /** When the owner was last dealt with, epoch ms: every wait above was noted then, or earlier. */
  seenAt: number;
}

/** What one instance remembers of its latest thousand owners. Forgetting one costs a write, never a token. */
export class LimitMemory {
  readonly #owners = new RecentMap<string, OwnerMemory>(OWNERS_MAX);

  /**
   * The memory of an owner at `now`, empty when it is new. Waits that were noted by a clock which has been set back since
   * are forgotten: they would last for the difference.
   */
  of(owner: string, now: number): OwnerMemory {
    const known = this.#owners.get(owner) ?? {
      fullAgainAt: undefined,
      localFullAgainAt: {},
      ...noWaits(now),
    };
    if (now < known.seenAt) Object.assign(known, noWaits(now));
    known.seenAt = now;
    this.#owners.set(owner, known);
    return known;
  }

  /** What is known of an owner, without making a memory of it. */
  peek(owner: string): Readonly<OwnerMemory> | undefined {
    return this.#owners.get(owner);
  }
}

const noWaits = (seenAt: number) => ({ earlyRetries: noEarlyRetries, throttledUntil: 0, seenAt });
