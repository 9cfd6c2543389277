import type { Clock } from "../clock.ts";
import { ReadCache } from "../dynamo/read-cache.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { type Switch, switchId, switchOf } from "./switch.ts";

/** Reads switches, each at most every five seconds, so that a change takes effect within five seconds. */
export class SwitchStore {
  readonly #table: Table;
  readonly #cache: ReadCache<Switch>;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#cache = new ReadCache(clock);
  }

  /** The switch of an endpoint. "On" is remembered like "off": it is a reading, not an absence. */
  async get(endpointName: string): Promise<Switch> {
    const id = switchId(endpointName);
    const reading = await this.#cache.get(id, async () =>
      switchOf(await readItem(this.#table, { key: { id } })),
    );
    return reading ?? { on: true };
  }
}
