import type { Clock } from "../../lib/clock.ts";
import { type PartitionCapacity, Partitions, type UnitKind } from "../../local/store/behaviour/partitions.ts";
import type { Place } from "../workloads.ts";
import { type Draw, hexOf, oneOf } from "./arrivals.ts";

/** What each call does in a table of the simulation. */
export interface TableProps {
  readonly kind: UnitKind;
  readonly units: number;
  /** The keys that calls are spread over evenly: owners, records, or a market and its mirrors. */
  readonly keys: number;
  readonly place: Place;
  readonly capacity: PartitionCapacity;
}

/** A table, or an index, with the partitions that the local store has too. */
export class Table {
  readonly #props: TableProps;
  readonly #partitions: Partitions;
  readonly #draw: Draw;
  readonly #hashes: readonly string[];
  served = 0;

  constructor(props: TableProps, clock: Clock, draw: Draw) {
    this.#props = props;
    this.#draw = draw;
    this.#partitions = new Partitions(props.capacity, clock);
    this.#hashes = Array.from({ length: props.keys }, () => hexOf(draw, 8));
  }

  /** How many partitions there are by now. */
  get partitions(): number {
    return this.#partitions.count;
  }

  /** Whether the partition of a key, any unless it is given, has units left. They are then taken. */
  serve(key = oneOf(this.#draw, this.#props.keys)): boolean {
    const { kind, units, place } = this.#props;
    const hash = this.#hashes[key] ?? "";
    const position = place === "spread" ? hash + hexOf(this.#draw, 4) : hash;
    if (!this.#partitions.admits(kind, position)) return false;
    this.#partitions.charge(kind, position, units);
    this.served += units;
    return true;
  }
}
