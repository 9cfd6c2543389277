import { RecentMap } from "../recent-map.ts";
import { type EarlyRetries, noEarlyRetries } from "./early-retries.ts";
import type { FullAgainAt } from "./token-bucket.ts";

const OWNERS_MAX = 1_000;

/** The memory that one instance has of one owner's limit. */
export interface OwnerMemory {
  /**
   * The last state from the store; undefined before the first. Others may have charged since, and answers may overtake
   * each other, so a wait computed from it is a lower bound.
   */
  fullAgainAt: FullAgainAt | undefined;
  /** The state of this instance's own buckets, which stand in while the store is down. */
  localFullAgainAt: FullAgainAt;
  earlyRetries: EarlyRetries;
  /** Until when the store is not asked, because this owner's item is written too often; epoch ms. */
  throttledUntil: number;
  /** When the owner was last dealt with, epoch ms. Every wait above was noted then or earlier. */
  seenAt: number;
}

/** The memory that one instance has of its latest thousand owners. Forgetting an owner costs a write, never a token. */
export class LimitMemory {
  readonly #owners = new RecentMap<string, OwnerMemory>(OWNERS_MAX);

  /**
   * The memory of an owner at `now`; empty for a new owner. Waits noted before the clock was set back are forgotten,
   * because they would last longer by the difference.
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

  /** The memory of an owner, if there is one; makes none. */
  peek(owner: string): Readonly<OwnerMemory> | undefined {
    return this.#owners.get(owner);
  }
}

const noWaits = (seenAt: number) => ({ earlyRetries: noEarlyRetries, throttledUntil: 0, seenAt });
