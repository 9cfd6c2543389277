import type { Clock } from "../../../lib/clock.ts";
import { DOCUMENTED_CAPACITY, type PartitionCapacity, Partitions } from "./partitions.ts";
import type { Use } from "./throttled.ts";

/** The units that a request consumes by one use. */
export interface Charge {
  readonly use: Use;
  readonly units: number;
}

/** The capacity of a store's tables and indexes. */
export class Throughput {
  readonly #clock: Clock;
  readonly #capacity: PartitionCapacity;
  readonly #partitions = new Map<string, Partitions>();

  /** @param capacity A missing member has its documented value. */
  constructor(clock: Clock, capacity: Partial<PartitionCapacity> = {}) {
    this.#clock = clock;
    this.#capacity = { ...DOCUMENTED_CAPACITY, ...capacity };
  }

  /** Admits a request if all its uses have units left. Returns the uses without units left, for which it is refused. */
  admit(uses: readonly Use[]): readonly Use[] {
    const refused = uses.filter((use) => !this.#of(use).admits(use.kind, use.position));
    if (refused.length === 0) for (const use of uses) this.charge({ use, units: use.leastUnits });
    return refused;
  }

  /** Gives back the `leastUnits` that a request took on admission. The consumed units are charged separately. */
  release(uses: readonly Use[]): void {
    for (const use of uses) this.charge({ use, units: -use.leastUnits });
  }

  charge({ use, units }: Charge): void {
    this.#of(use).charge(use.kind, use.position, units);
  }

  /** Forgets a deleted table. */
  forget(tableName: string): void {
    for (const id of this.#partitions.keys()) if (id.startsWith(`${tableName}/`)) this.#partitions.delete(id);
  }

  #of({ tableName, indexName = "" }: Use): Partitions {
    const id = `${tableName}/${indexName}`;
    const partitions = this.#partitions.get(id) ?? new Partitions(this.#capacity, this.#clock);
    this.#partitions.set(id, partitions);
    return partitions;
  }
}
