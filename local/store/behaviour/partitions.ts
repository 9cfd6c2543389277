import type { Clock } from "../../../lib/clock.ts";

export type UnitKind = "Read" | "Write";

/** The capacity of one partition. */
export interface PartitionCapacity {
  readonly readUnitsPerS: number;
  readonly writeUnitsPerS: number;
  /** How much unused capacity is kept for later, as the time in which it builds up. */
  readonly burstMs: number;
  /** How long a partition refuses requests before it splits. */
  readonly heatMs: number;
}

/**
 * The documented capacity. The time until a split is not documented; in AWS's own measurements it takes minutes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 * @see https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/
 */
export const DOCUMENTED_CAPACITY: PartitionCapacity = {
  readUnitsPerS: 3_000,
  writeUnitsPerS: 1_000,
  burstMs: 300_000,
  heatMs: 120_000,
};

/** A share of the documented capacity, from 0 to 1, because a laptop does not reach all of it. */
export const capacityShare = (share: number): PartitionCapacity => ({
  ...DOCUMENTED_CAPACITY,
  readUnitsPerS: DOCUMENTED_CAPACITY.readUnitsPerS * share,
  writeUnitsPerS: DOCUMENTED_CAPACITY.writeUnitsPerS * share,
});

/** Where the partitions of a new table begin: four, for its 12,000 read units and 4,000 write units a second. */
const FIRST_PARTITIONS = ["", "4", "8", "c"];
/** A partition that refused nothing for this long has cooled down. */
const COOLED_MS = 10_000;
/** How many of the latest requests' positions a partition remembers. */
const REMEMBERED = 1_000;

/** The units that a partition has left. A request is admitted while there are any, and may leave a debt. */
class Bucket {
  readonly #unitsPerMs: number;
  readonly #most: number;
  #units: number;
  #filledAt: number;

  constructor(unitsPerS: number, burstMs: number, now: number) {
    this.#unitsPerMs = unitsPerS / 1_000;
    // No unused units have built up yet: a new partition begins with the capacity of one second.
    this.#units = unitsPerS;
    this.#most = Math.max(unitsPerS, this.#unitsPerMs * burstMs);
    this.#filledAt = now;
  }

  take(units: number, now: number): void {
    this.#fill(now);
    this.#units -= units;
  }

  hasAny(now: number): boolean {
    this.#fill(now);
    return this.#units > 0;
  }

  #fill(now: number): void {
    const passedMs = Math.max(0, now - this.#filledAt);
    this.#units = Math.min(this.#most, this.#units + passedMs * this.#unitsPerMs);
    this.#filledAt = now;
  }
}

/** A range of positions, and its capacity. */
class Partition {
  readonly from: string;
  readonly buckets: Readonly<Record<UnitKind, Bucket>>;
  readonly #recent: string[] = [];
  #refusedSince = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(from: string, capacity: PartitionCapacity, now: number) {
    const { readUnitsPerS, writeUnitsPerS, burstMs } = capacity;
    this.from = from;
    this.buckets = {
      Read: new Bucket(readUnitsPerS, burstMs, now),
      Write: new Bucket(writeUnitsPerS, burstMs, now),
    };
  }

  remember(position: string): void {
    if (this.#recent.push(position) > REMEMBERED) this.#recent.shift();
  }

  /** Records a refusal, and returns for how long the partition has been refusing, in milliseconds. */
  refuse(now: number): number {
    if (now - this.#refusedAt > COOLED_MS) this.#refusedSince = now;
    this.#refusedAt = now;
    return now - this.#refusedSince;
  }

  /** The position that halves the traffic, or comes nearest to that; undefined when all traffic is at one position. */
  middle(): string | undefined {
    const sorted = this.#recent.toSorted();
    const [first] = sorted;
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle === first ? sorted.find((position) => position !== first) : middle;
  }
}

/**
 * The partitions of a table or an index. Each has a number of units a second, and keeps unused units for a while. One
 * that refuses requests for long splits where its traffic halves, unless all traffic is for one item.
 */
export class Partitions {
  readonly #capacity: PartitionCapacity;
  readonly #clock: Clock;
  /** In the order of their positions. */
  #partitions: readonly Partition[];

  constructor(capacity: PartitionCapacity, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
    this.#partitions = FIRST_PARTITIONS.map((from) => new Partition(from, capacity, clock()));
  }

  get count(): number {
    return this.#partitions.length;
  }

  /** Whether the partition of a position has units left. A refusal counts towards a split. */
  admits(kind: UnitKind, position: string): boolean {
    const now = this.#clock();
    const partition = this.#at(position);
    partition.remember(position);
    if (partition.buckets[kind].hasAny(now)) return true;
    if (partition.refuse(now) >= this.#capacity.heatMs) this.#split(partition, now);
    return false;
  }

  /** Takes units from the partition of a position; a negative number gives units back. */
  charge(kind: UnitKind, position: string, units: number): void {
    this.#at(position).buckets[kind].take(units, this.#clock());
  }

  #at(position: string): Partition {
    return this.#partitions.findLast(({ from }) => from <= position) as Partition;
  }

  #split(hot: Partition, now: number): void {
    const middle = hot.middle();
    if (middle === undefined) return;
    const halves = [hot.from, middle].map((from) => new Partition(from, this.#capacity, now));
    this.#partitions = this.#partitions.flatMap((partition) => (partition === hot ? halves : partition));
  }
}
