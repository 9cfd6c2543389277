import type { Clock } from "../../../lib/clock.ts";
import { DOCUMENTED_CAPACITY, type PartitionCapacity, Partitions } from "./partitions.ts";
import type { Use } from "./throttled.ts";

/** Units that a request takes somewhere. */
export interface Charge {
  readonly use: Use;
  readonly units: number;
}

/** What the tables and indexes of a store can bear. */
export class Throughput {
  readonly #clock: Clock;
  readonly #capacity: PartitionCapacity;
  readonly #partitions = new Map<string, Partitions>();

  /** @param capacity What is not given is as DynamoDB documents it. */
  constructor(clock: Clock, capacity: Partial<PartitionCapacity> = {}) {
    this.#clock = clock;
    this.#capacity = { ...DOCUMENTED_CAPACITY, ...capacity };
  }

  /** Admits a request that needs all of some places, and tells those that have nothing left, for which it is refused. */
  admit(uses: readonly Use[]): readonly Use[] {
    const refused = uses.filter((use) => !this.#of(use).admits(use.kind, use.position));
    if (refused.length === 0) for (const use of uses) this.charge({ use, units: use.leastUnits });
    return refused;
  }

  /** Gives back what a request took when it was admitted, before it is charged what it consumed. */
  release(uses: readonly Use[]): void {
    for (const use of uses) this.charge({ use, units: -use.leastUnits });
  }

  charge({ use, units }: Charge): void {
    this.#of(use).charge(use.kind, use.position, units);
  }

  /** Forgets a table that is deleted. */
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
