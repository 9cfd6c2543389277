import { type Impatience, patient } from "./impatience.ts";
import { type Arrivals, laterOf } from "./token-bucket.ts";

const OWNERS_MAX = 1_000;

/** What one instance remembers of one owner's limit. */
export interface OwnerMemory {
  /** The latest state seen in the store: a lower bound of what it is now. Undefined before the first. */
  arrivals: Arrivals | undefined;
  /** The state of the buckets of this instance alone, which stand in while the store is down. */
  localArrivals: Arrivals;
  impatience: Impatience;
  /** Until when the store is left alone because this owner's item is written too often; epoch ms. */
  throttledUntil: number;
}

/** What one instance remembers of its latest thousand owners. Forgetting one costs a write, never a token. */
export class LimitMemory {
  readonly #owners = new Map<string, OwnerMemory>();

  /** The memory of an owner, empty when it is new. */
  of(owner: string): OwnerMemory {
    const known = this.#owners.get(owner) ?? {
      arrivals: undefined,
      localArrivals: {},
      impatience: patient,
      throttledUntil: 0,
    };
    this.#owners.delete(owner);
    this.#owners.set(owner, known);
    const oldest = this.#owners.keys().next();
    if (this.#owners.size > OWNERS_MAX && oldest.done !== true) this.#owners.delete(oldest.value);
    return known;
  }

  /** What is known of an owner's state, without making a memory of it. */
  peek(owner: string): Arrivals | undefined {
    return this.#owners.get(owner)?.arrivals;
  }
}

/** Notes a state that was seen. Answers may overtake each other; the later state counts. */
export function remember(memory: OwnerMemory, seen: Arrivals): Arrivals {
  memory.arrivals = laterOf(memory.arrivals ?? {}, seen);
  return memory.arrivals;
}
