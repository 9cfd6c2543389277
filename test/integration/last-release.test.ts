import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { idOf } from "../../bench/support/busy-trades.ts";
import { CredentialStore } from "../../lib/auth/credential-store.ts";
import { KeptKeySetStore } from "../../lib/auth/kept-key-set.ts";
import { type TableName, tables } from "../../lib/dynamo/tables.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { PassStore } from "../../lib/passes/pass-store.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { SwitchStore } from "../../lib/switches/switch-store.ts";
import { readCursor, writeCursor } from "../../lib/trades/cursor.ts";
import { TradeStore } from "../../lib/trades/trade-store.ts";
import * as transactionCursor from "../../lib/transactions/cursor.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { type Engine, startEngine } from "../support/engine.ts";
import { exchangeBuckets } from "../support/limits.ts";
import { credentialIds, KEY_SET_URL, recordWriters } from "../support/record-writers.ts";
import { fillTable, recordTable } from "../support/release-record.ts";
import { listAll, NOW } from "../support/trades.ts";

/*
 * While a release is deployed, and after it is taken back, its code and that of the last one work on the same rows and
 * get each other's cursors. `last-release/` has what the last release wrote and read. It holds data and no bundles:
 * a bundle is some 240 KB of minified code that nobody can review, and equal rows prove the same. After a release,
 * `npx vitest run test/integration/last-release.test.ts --update=all` records it.
 */
const WHY =
  "The last release must be able to read this, because it works beside this code during a deployment, and after one that " +
  "is taken back. Release code that reads the new form first, record that release, and write the new form in the next one.";

const tableNames = Object.keys(tables) as TableName[];
const fileOf = (name: string): string => join(import.meta.dirname, "last-release", `${name}.json`);
const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const clock = (): number => NOW;
const place = { tradedAt: NOW - 1_000, id: idOf(7) };
const continuation = {
  window: { startMs: NOW - 86_400_000, endMs: NOW },
  begunAt: NOW,
  position: place,
  resumeAt: { ...place, tradedAt: NOW - 500 },
  yield: 9,
};
const position = "001795554000000000#tx-1";

/** Reads every item by the code that functions read it with. */
async function readEverything(engine: Engine): Promise<object> {
  const table = (name: TableName) => engine.table(name);
  const credentials = new CredentialStore(table("Credentials"), clock);
  const passes = new PassStore(table("Passes"));
  const transactions = new TransactionStore(table("Transactions"));
  const orders = new SellOrderStore(table("SellOrders"));
  const charge = { now: NOW + 10, cost: 2, busy: new Set(["second", "minute"]) };
  return {
    transactions: [
      await transactions.get("acme", "tx-2"),
      await transactions.getNewestByRequestId("acme", "request-1"),
      await new TransactionListStore(table("Transactions")).page({ businessId: "acme", count: 1 }),
    ],
    orders: await Promise.all(
      ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f"].map((id) =>
        orders.get("acme", id),
      ),
    ),
    passes: await Promise.all(["plain", "corrected", "void", "absent"].map((id) => passes.get(id))),
    trades: await listAll(new TradeStore(table("Trades")), {
      symbol: "BTC-USD",
      window: { startMs: NOW - 60_000, endMs: NOW + 60_000 },
      limit: 250,
      now: NOW + 60_000,
    }),
    credentials: await Promise.all(
      ["jws#full", ...Object.values(credentialIds)].map((id) => credentials.get(id)),
    ),
    limits: await new RateLimitStore(table("RateLimits")).charge(
      "trades#acme",
      bucketsOf(exchangeBuckets, 30),
      charge,
    ),
    switches: await new SwitchStore(table("Settings"), clock).get("get-pass"),
    markets: await new MarketStore(table("Settings"), clock).get("BTC-USD"),
    keySets: await new KeptKeySetStore(table("Settings")).get(KEY_SET_URL),
  };
}

let engine: Engine;
beforeAll(async () => {
  // Corrections hold the time at which they were made.
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  engine = await startEngine("dynalite");
});
afterAll(async () => {
  await engine.close();
  vi.useRealTimers();
});

describe.each(tableNames)("what is written to %s", (name) => {
  test("is what the last release wrote, and so can read", async () => {
    await recordWriters[name](engine.table(name));
    const rows = await recordTable(engine.table(name));
    await expect(textOf(rows), WHY).toMatchFileSnapshot(fileOf(name));
  });
});

test("what the last release wrote is read as it was read by it", async () => {
  const restored = await startEngine("dynalite");
  try {
    // The last release has written nothing to a table that is new.
    for (const name of tableNames.filter((one) => existsSync(fileOf(one))))
      await fillTable(restored.table(name), JSON.parse(readFileSync(fileOf(name), "utf8")));
    await expect(textOf(await readEverything(restored))).toMatchFileSnapshot(fileOf("readings"));
  } finally {
    await restored.close();
  }
});

describe("a cursor that a caller holds", () => {
  test("is written as the last release wrote it, and so can read it", async () => {
    const cursors = {
      trades: writeCursor("BTC-USD", continuation),
      transactions: transactionCursor.writeCursor(position),
    };
    await expect(textOf(cursors), WHY).toMatchFileSnapshot(fileOf("cursors"));
  });

  test("of the last release is read as that release meant it", () => {
    const { trades, transactions } = JSON.parse(readFileSync(fileOf("cursors"), "utf8"));
    expect(readCursor("BTC-USD", trades, NOW)).toEqual(continuation);
    expect(transactionCursor.readCursor(transactions)).toBe(position);
  });
});
