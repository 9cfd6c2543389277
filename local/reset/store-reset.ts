import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../lib/clock.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { physicalTableName, type TableName } from "../../lib/dynamo/tables.ts";
import { ControlRefusal } from "../control/control-route.ts";
import { markerIds } from "../demo/marker-ids.ts";
import type { Turnstile } from "../gateway/turnstile.ts";
import type { Renewal } from "../runtime/function-pools.ts";
import type { OwnStore } from "../store/engine.ts";
import type { TableDefinition } from "../store/tables.ts";
import { type FreshItems, type ItemsOfTables, OPERATED } from "./fresh-items.ts";
import { planReplacement, type Replacement, replaceItems } from "./replace-items.ts";
import type { ResetReport } from "./reset-routes.ts";

export interface ResetParts {
  readonly client: DynamoDBClient;
  readonly tables: readonly TableDefinition[];
  readonly stage: string;
  readonly fresh: Pick<FreshItems, "read">;
  readonly turnstile: Turnstile;
  readonly ownerWrites: OwnStore["ownerWrites"];
  readonly prepareRenewal: () => Promise<Renewal>;
  /** Brings the machine's time back. */
  readonly resetTime: () => Promise<void>;
  /** Adds what the demo's markets have traded since the fresh items were made. */
  readonly continueTrades: () => Promise<void>;
  /** Does the rest, while requests are answered again. */
  readonly conclude: () => Promise<void>;
  /** Milliseconds since any instant. */
  readonly clock: Clock;
}

/** The markers say that a store has all of the demo's records. */
const markers: readonly Item[] = Object.values(markerIds).map((id) => ({ id: { S: id } }));
const isMarker = ({ id }: Item): boolean => markers.some((marker) => marker.id?.S === id?.S);

/**
 * Puts the store of a running service back to what a first start would make of it now. All that takes long is done
 * beside the service: the records, the differences, and new environments of the functions. Then requests are held back
 * while the differences and the newest trades are written. Credentials stay as they are.
 */
export class StoreReset {
  readonly #parts: ResetParts;
  #isRunning = false;

  constructor(parts: ResetParts) {
    this.#parts = parts;
  }

  /** @throws {ControlRefusal} while another reset runs. */
  async run(): Promise<ResetReport> {
    if (this.#isRunning) throw new ControlRefusal("Another reset is under way. Try again when it is done.");
    this.#isRunning = true;
    try {
      return await this.#reset();
    } finally {
      this.#isRunning = false;
    }
  }

  async #reset(): Promise<ResetReport> {
    const { turnstile, ownerWrites, resetTime, continueTrades, conclude, clock } = this.#parts;
    const beganAt = clock();
    const { items, writesBefore, planned, renewal } = await this.#prepare();
    const heldAt = clock();
    const replace = async () => {
      const isCurrent = (await ownerWrites()) === writesBefore;
      const written = await this.#replace(items, isCurrent ? planned : await this.#plan(items, OPERATED));
      await resetTime();
      await continueTrades();
      return written;
    };
    const done = await turnstile.hold(() => renewal.exchange(replace));
    const heldMs = Math.round(clock() - heldAt);
    await conclude();
    return {
      written: done.reduce((sum, { puts }) => sum + puts.length, 0),
      deleted: done.reduce((sum, { deletions }) => sum + deletions.length, 0),
      tookMs: Math.round(clock() - beganAt),
      heldMs,
    };
  }

  /** Starts new environments, and finds meanwhile what has to be written. If either fails, nothing is left running. */
  async #prepare() {
    const [found, renewal] = await Promise.allSettled([this.#find(), this.#parts.prepareRenewal()]);
    if (renewal.status === "rejected") throw renewal.reason;
    if (found.status === "fulfilled") return { ...found.value, renewal: renewal.value };
    await renewal.value.abandon();
    throw found.reason;
  }

  /** Finds what has to be written, as of an instant before which the owner had made some writes. */
  async #find() {
    const { fresh, ownerWrites } = this.#parts;
    const items = await fresh.read();
    const writesBefore = await ownerWrites();
    return { items, writesBefore, planned: await this.#plan(items, OPERATED) };
  }

  #plan(items: ItemsOfTables, names: readonly TableName[]): Promise<Replacement[]> {
    const { client, tables, stage } = this.#parts;
    const physical = new Set(names.map((name) => physicalTableName(stage, name)));
    const chosen = tables.filter(({ name }) => physical.has(name));
    return Promise.all(chosen.map((table) => planReplacement(client, table, items.get(table.name) ?? [])));
  }

  /** The markers go first and come last, so that a start after a killed reset writes the rest. */
  async #replace(items: ItemsOfTables, planned: readonly Replacement[]): Promise<readonly Replacement[]> {
    const { client, stage } = this.#parts;
    const table = physicalTableName(stage, "Settings");
    await replaceItems(client, { table, puts: [], deletions: markers });
    const all = [...planned, ...(await this.#plan(items, ["RateLimits"]))].map((replacement) => ({
      ...replacement,
      puts: replacement.puts.filter((item) => !isMarker(item)),
    }));
    await Promise.all(all.map((replacement) => replaceItems(client, replacement)));
    await replaceItems(client, { table, puts: (items.get(table) ?? []).filter(isMarker), deletions: [] });
    return all;
  }
}
