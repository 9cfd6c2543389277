import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomOf } from "../../bench/support/random-of.ts";
import { lagging } from "../../local/store/behaviour/lag.ts";
import type { WireItem } from "../../local/store/behaviour/touched-items.ts";
import type { StoreHandler, StoreInput, StoreOperation } from "../../local/store/wire.ts";
import { cases } from "../support/cases.ts";
import { memoryStore } from "../support/memory-store.ts";
import { ask, plainShape, shapesOf } from "../support/store-handler.ts";

const shape = plainShape("things", "id", { "by-colour": "by-colour", "by-size": "by-size" });
const TableName = shape.name;
const IDS = ["a", "b", "c"] as const;
type Id = (typeof IDS)[number];
const INDEX_LAG_MS = 100;
const EVENTUAL_LAG_MS = 40;

type Step =
  | { readonly kind: "put"; readonly id: Id; readonly indexed: readonly string[] }
  | { readonly kind: "delete"; readonly id: Id }
  | { readonly kind: "batch"; readonly ids: readonly Id[]; readonly isDelete: boolean }
  | { readonly kind: "get" | "batch-get"; readonly id: Id }
  | { readonly kind: "query"; readonly index: string }
  | { readonly kind: "scan" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "settle" };

const id = fc.constantFrom(...IDS);
const index = fc.constantFrom("by-colour", "by-size");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id, indexed: fc.uniqueArray(index) }),
  fc.record({ kind: fc.constant("delete" as const), id }),
  fc.record({
    kind: fc.constant("batch" as const),
    ids: fc.uniqueArray(id, { minLength: 1 }),
    isDelete: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom("get" as const, "batch-get" as const), id }),
  fc.record({ kind: fc.constant("query" as const), index }),
  fc.constant({ kind: "scan" as const }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 60 }) }),
  fc.constant({ kind: "settle" as const }),
);

/** One read of one item: the number of the write that made the item, 0 for none. */
interface Sighting {
  readonly id: Id;
  readonly seen: number;
  /** The place where the item was seen: an index, or a table by a read of some kind. */
  readonly place: string;
  readonly from: number;
  readonly until: number;
  /** How many reads of the place had ended when this one began. */
  readonly after: number;
  readonly at: number;
}

/** The state of an item from one instant on, and the write that made it. */
interface State {
  readonly since: number;
  readonly item: WireItem | undefined;
  readonly write?: StoreInput;
}

/** A store under the layer, and everything that happened to it. */
class Simulation {
  now = 1_000_000;
  /** The states of each item, in order. */
  readonly history: Readonly<Record<Id, State[]>> = { a: [], b: [], c: [] };
  /** When each write was answered. One that is under way has taken effect or has not: reads may show either. */
  readonly #answered = new Map<StoreInput, number>();
  readonly sightings: Sighting[] = [];
  readonly #random: () => number;
  readonly #engine: StoreHandler;
  readonly store: StoreHandler;
  #writes = 0;
  #readsEnded = 0;

  constructor(random: () => number) {
    this.#random = random;
    const pause = async () => {
      // Some are long, so that several others fit into one.
      const ticks = random() < 0.7 ? 0 : Math.floor(random() * 60);
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      if (random() < 0.1) this.now += Math.floor(random() * 30);
    };
    const onWrite = (write: StoreInput, items: ReadonlyMap<string, WireItem>) => this.#note(write, items);
    this.#engine = memoryStore({ shape, pause, onWrite, leavesOut: () => random() < 0.3 });
    this.store = lagging({
      engine: this.#engine,
      replica: async () => memoryStore({ shape, pause }),
      tables: shapesOf(shape),
      clock: () => this.now,
      random,
      indexLagMs: INDEX_LAG_MS,
      eventualLagMs: EVENTUAL_LAG_MS,
    });
    for (const each of IDS) this.history[each].push({ since: 0, item: undefined });
  }

  #note(write: StoreInput, items: ReadonlyMap<string, WireItem>): void {
    for (const each of IDS) {
      const item = [...items.values()].find((candidate) => candidate.id?.S === each);
      if (item !== this.history[each].at(-1)?.item) this.history[each].push({ since: this.now, item, write });
    }
  }

  #item(each: Id, indexed: readonly string[]): WireItem {
    this.#writes += 1;
    const keys = Object.fromEntries(indexed.map((name) => [name, { S: "x" }]));
    return { id: { S: each }, write: { N: String(this.#writes) }, ...keys };
  }

  async run(steps: readonly Step[]): Promise<void> {
    let running: Promise<unknown>[] = [];
    for (const each of steps) {
      if (each.kind === "settle") {
        await Promise.all(running);
        running = [];
      } else if (each.kind === "wait") this.now += each.ms;
      else running.push(this.#take(each));
      if (this.#random() < 0.5) await Promise.resolve();
    }
    await Promise.all(running);
  }

  #take(each: Exclude<Step, { kind: "settle" | "wait" }>): Promise<unknown> {
    const { kind } = each;
    if (kind === "put") return this.#write("PutItem", { TableName, Item: this.#item(each.id, each.indexed) });
    if (kind === "delete") return this.#write("DeleteItem", { TableName, Key: { id: { S: each.id } } });
    if (kind === "batch") {
      const requests = each.ids.map((one) =>
        each.isDelete
          ? { DeleteRequest: { Key: { id: { S: one } } } }
          : { PutRequest: { Item: this.#item(one, ["by-size"]) } },
      );
      return this.#write("BatchWriteItem", { RequestItems: { [TableName]: requests } });
    }
    if (kind === "query") return this.read(each.index, "Query", { TableName, IndexName: each.index });
    if (kind === "scan") return this.read("scan", "Scan", { TableName });
    const Key = { id: { S: each.id } };
    if (kind === "get") return this.read("get", "GetItem", { TableName, Key }, [each.id]);
    return this.read("get", "BatchGetItem", { RequestItems: { [TableName]: { Keys: [Key] } } }, [each.id]);
  }

  async #write(operation: StoreOperation, input: StoreInput): Promise<void> {
    await ask(this.store, operation, input);
    this.#answered.set(input, this.now);
  }

  async read(place: string, operation: StoreOperation, input: StoreInput, ids: readonly Id[] = IDS) {
    const [from, after] = [this.now, this.#readsEnded];
    const { Item, Items, Responses } = await ask(this.store, operation, input);
    const found = (Items ??
      (Responses as Record<string, unknown> | undefined)?.[TableName] ??
      (Item === undefined ? [] : [Item])) as WireItem[];
    this.#readsEnded += 1;
    for (const each of ids) {
      const seen = Number(found.find((item) => item.id?.S === each)?.write?.N ?? 0);
      this.sightings.push({ id: each, seen, place, from, after, until: this.now, at: this.#readsEnded });
    }
  }

  /** The places in an item's history that a sighting may come from. */
  states({ id: of, seen, place, from, until }: Sighting): number[] {
    const lagMs = place.startsWith("by-") ? INDEX_LAG_MS : EVENTUAL_LAG_MS;
    return this.history[of].flatMap(({ since, item }, at) => {
      const next = this.history[of][at + 1]?.write;
      const ended = (next && this.#answered.get(next)) ?? Number.POSITIVE_INFINITY;
      const isShown = !place.startsWith("by-") || item?.[place] !== undefined;
      const isSame = Number((isShown ? item : undefined)?.write?.N ?? 0) === seen;
      return isSame && since <= until && ended > from - lagMs ? [at] : [];
    });
  }
}

const simulated = (check: (simulation: Simulation) => void | Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.integer(), async (steps, seed) => {
      const simulation = new Simulation(randomOf(seed));
      await simulation.run(steps);
      await check(simulation);
    }),
    { numRuns: cases(100) },
  );

describe("a store that lags", () => {
  test("every read shows each item as it was, within the lag, before or after the writes that are under way", () =>
    simulated((simulation) => {
      for (const sighting of simulation.sightings)
        expect(simulation.states(sighting), JSON.stringify(sighting)).not.toEqual([]);
    }));

  test("no item goes back in an index, or from scan to scan", () =>
    simulated((simulation) => {
      const sightings = simulation.sightings.filter(({ place }) => place !== "get");
      const floors: { readonly sighting: Sighting; readonly floor: number }[] = [];
      for (const sighting of sightings) {
        const earlier = floors.filter(
          ({ sighting: { id: of, place, at } }) =>
            of === sighting.id && place === sighting.place && at <= sighting.after,
        );
        const floor = Math.max(0, ...earlier.map((each) => each.floor));
        const state = simulation.states(sighting).find((at) => at >= floor);
        expect(state, JSON.stringify(sighting)).toBeDefined();
        floors.push({ sighting, floor: state as number });
      }
    }));

  test("after the lag everything is visible everywhere", () =>
    simulated(async (simulation) => {
      simulation.now += INDEX_LAG_MS;
      simulation.sightings.length = 0;
      for (const { name } of shape.indexes)
        await simulation.read(name, "Query", { TableName, IndexName: name });
      await simulation.read("scan", "Scan", { TableName });
      for (const sighting of simulation.sightings) {
        const last = simulation.history[sighting.id].length - 1;
        expect(simulation.states(sighting), JSON.stringify(sighting)).toContain(last);
      }
    }));
});
