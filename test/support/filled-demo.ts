import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { startService } from "../../local/local-service.ts";
import { createTables } from "../../local/store/tables.ts";
import type { StoreInput } from "../../local/store/wire.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import type { Engine } from "./engine.ts";
import { madeOnce } from "./made-once.ts";
import { scratchDirectory } from "./scratch.ts";
import { serviceOptions, silent } from "./service-options.ts";
import { withStore } from "./with-store.ts";

/*
 * The demo as a first start writes it takes seconds, and a copy of it a tenth of that. It is made once for a day and a
 * version of the sources. A service that starts on a copy adds the trades since then, as any
 * second start does.
 */

/** What the demo is made from. */
const SOURCES = ["lib", "local", "infra", "functions", "docs/examples/records", "package-lock.json"];
const DAY_MS = 86_400_000;
/** The most writes that one request may have. */
const BATCH = 25;

/** A new data directory, as a first start of today has left it; removed after the test file has run. */
export async function filledDataDirectory(): Promise<string> {
  const directory = scratchDirectory();
  cpSync(path.join(await filledDemo(), "data"), directory, { recursive: true });
  return directory;
}

/** Writes the demo into an empty engine, in which a service that is started then finds it. */
export async function fillEngine({ client, askRaw }: Pick<Engine, "client" | "askRaw">): Promise<void> {
  const items = JSON.parse(readFileSync(path.join(await filledDemo(), "items.json"), "utf8"));
  await createTables(client, stageTables());
  for (const [table, rows] of Object.entries<readonly object[]>(items))
    for (let at = 0; at < rows.length; at += BATCH) {
      const puts = rows.slice(at, at + BATCH).map((Item) => ({ PutRequest: { Item } }));
      const input = { RequestItems: { [table]: puts } } as unknown as StoreInput;
      const { status, body } = await askRaw({ operation: "BatchWriteItem", input });
      if (status !== 200) throw new Error(`${table} was not filled: ${JSON.stringify(body)}`);
    }
}

/** Whether a service with these words would write the same demo. */
export const isUsualDemo = ({ ownAccount }: typeof contractBrand): boolean =>
  ownAccount === contractBrand.ownAccount;

/** The directory of the made demo: a data directory, and its items by table. */
const filledDemo = (): Promise<string> =>
  madeOnce("demo", { sources: SOURCES, more: `day ${Math.floor(systemClock() / DAY_MS)}` }, async (draft) => {
    const data = path.join(draft, "data");
    mkdirSync(data);
    const service = await startService(serviceOptions(data), silent);
    await service.close();
    writeFileSync(path.join(draft, "items.json"), JSON.stringify(await itemsIn(data), asOnTheWire));
  });

/** Every item of a data directory, by the name of its table. */
const itemsIn = (data: string): Promise<Record<string, readonly object[]>> =>
  withStore({ data }, async ({ table }) => {
    const { client } = table("Settings");
    const all: Record<string, object[]> = {};
    for (const { name } of stageTables()) {
      const items: object[] = [];
      let ExclusiveStartKey: ScanCommand["input"]["ExclusiveStartKey"];
      do {
        const page = await client.send(new ScanCommand({ TableName: name, ExclusiveStartKey }));
        items.push(...(page.Items ?? []));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      all[name] = items;
    }
    return all;
  });

/** Bytes are sent in base 64. */
const asOnTheWire = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
