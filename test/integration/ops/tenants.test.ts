import { ScanCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { putPass } from "../../../lib/passes/put-pass.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../../../lib/trades/segment.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import {
  countOwned,
  countPasses,
  countTrades,
  questionFor,
  readingCost,
} from "../../../ops/tenants/count-tenants.ts";
import { cases } from "../../support/cases.ts";
import { sellOrderText, transactionText } from "../../support/documents.ts";
import { type NearStore, openNearStore } from "../../support/engine.ts";
import { heldStore } from "../../support/held-store.ts";
import { runOperator } from "../../support/operator.ts";
import { TradeLedger } from "../../support/trade-ledger.ts";
import { NOW, trade } from "../../support/trades.ts";
import { withStore } from "../../support/with-store.ts";

const watch = { onRead: () => {}, stop: new AbortController().signal };
const ALL = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };

let engine: NearStore;
beforeAll(async () => {
  engine = await openNearStore();
});
afterAll(() => engine.close());
beforeEach(() => engine.empty());

/** Batches of trades of one market: some twice, some corrected, some withdrawn, in several buckets. */
const batches = fc.array(
  fc.record({
    revision: fc.integer({ min: 0, max: 2 }),
    trades: fc.array(
      fc.record({
        n: fc.integer({ min: 0, max: 40 }),
        bucketsAgo: fc.constantFrom(0, 0, 0, 1, 30),
        withdrawn: fc.boolean(),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

let markets = 0;

describe("the trades of a market", () => {
  test("are counted as readers see them, however often they were written, corrected and withdrawn", async () => {
    const table = engine.table("Trades");
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom(1, 2, 7), async (written, pageSegmentsMax) => {
        const symbol = `M${markets++}-USD`;
        const ledger = new TradeLedger();
        // Of one revision, a record that is withdrawn counts before one that is not.
        for (const { revision, trades } of written.toSorted((a, b) => a.revision - b.revision)) {
          for (const isWithdrawn of revision === 0 ? [false] : [false, true]) {
            const made = trades
              .filter(({ withdrawn }) => (withdrawn && revision > 0) === isWithdrawn)
              .map(({ n, bucketsAgo }) =>
                trade(n, NOW - n * 137 - bucketsAgo * BUCKET_MS, { withdrawn: isWithdrawn }),
              );
            await putTrades(new TradeRegister(table), symbol, made, revision);
            for (const one of made) if (isWithdrawn) ledger.confirm(one, revision + 0.5);
            for (const one of made) if (!isWithdrawn) ledger.confirm(one, revision);
          }
        }
        const counted = await countTrades(engine, watch, { now: NOW, pageSegmentsMax });
        const shown = ledger.shown(ALL);
        const own = counted.find(({ owner }) => owner === symbol);
        const newest = shown[0] === undefined ? null : new Date(shown[0].tradedAt).toISOString();
        expect([own?.records, own?.newest]).toEqual([shown.length, newest]);
      }),
      { numRuns: cases(3) },
    );
  });

  test("that are published later are not counted yet", async () => {
    const register = new TradeRegister(engine.table("Trades"));
    await putTrades(register, "BTC-USD", [trade(1, NOW), trade(2, NOW, { publishedAt: NOW + 5 })]);
    expect(await countTrades(engine, watch, { now: NOW + 4 })).toMatchObject([{ records: 1 }]);
    expect(await countTrades(engine, watch, { now: NOW + 5 })).toMatchObject([{ records: 2 }]);
  });

  test("are found by one read of one item for each partition, and no read of the others", async () => {
    const table = engine.table("Trades");
    const trades = Array.from({ length: 2_000 }, (_, n) => trade(n, NOW - n * 5_000));
    await putTrades(new TradeRegister(table), "BTC-USD", trades);
    let read = 0;
    const counting = { ...watch, onRead: (items: number) => (read += items) };
    expect(await countTrades(engine, counting, { now: NOW })).toEqual([
      { kind: "market", owner: "BTC-USD", records: 2_000, newest: new Date(NOW).toISOString() },
    ]);
    const { Count } = await table.client.send(new ScanCommand({ TableName: table.name, Select: "COUNT" }));
    expect(read).toBe(Count);
  });

  test("in a segment that cannot be read are missing, and said to be", async () => {
    const register = new TradeRegister(engine.table("Trades"));
    await putTrades(register, "BTC-USD", [trade(1, NOW), trade(2, NOW - 60_000)]);
    const [segment] = await Array.fromAsync(register.list("BTC-USD"));
    if (segment === undefined) throw new Error("Nothing is stored.");
    await register.put([{ ...segment, payload: Buffer.from("damage") }]);
    expect(await countTrades(engine, watch, { now: NOW })).toMatchObject([
      { records: 1, damagedSegments: 1 },
    ]);
  });
});

test("records are counted by owner, with the newest change, and passes together", async () => {
  const transactions = new TransactionRegister(engine.table("Transactions"));
  for (let n = 0; n < 30; n += 1) {
    const text = transactionText({ id: `tx-${n}`, updated_at: `2026-03-01T10:00:${10 + n}.5Z` });
    await putTransaction(transactions, contractBrand, n < 20 ? "acme" : "bolt", text);
    await putTransaction(transactions, contractBrand, n < 20 ? "acme" : "bolt", text);
  }
  await putSellOrder(
    new SellOrderRegister(engine.table("SellOrders")),
    contractBrand,
    "tide",
    sellOrderText(),
  );
  for (const reference of ["a", "b"]) {
    const text = JSON.stringify({ partner_reference: reference, type: "loyalty_pass", version: 1 });
    await putPass(new PassRegister(engine.table("Passes")), text);
  }
  expect(
    (await countOwned(engine, watch)).toSorted((a, b) => ((a.owner ?? "") < (b.owner ?? "") ? -1 : 1)),
  ).toEqual([
    { kind: "business", owner: "acme", records: 20, newest: "2026-03-01T10:00:29.500000Z" },
    { kind: "business", owner: "bolt", records: 10, newest: "2026-03-01T10:00:39.500000Z" },
    { kind: "partner", owner: "tide", records: 1, newest: "2026-03-01T10:00:00.000000Z" },
  ]);
  expect(await countPasses(engine, watch)).toEqual([
    { kind: "passes", owner: null, records: 2, newest: null },
  ]);
});

describe("tenants list", () => {
  test("lists owners by kind and name, with grouped digits, for people and for programs", async () => {
    await using store = await heldStore();
    const { data } = store;
    expect(await runOperator(["tenants", "list", "--data", data])).toMatchObject({
      code: 0,
      stdout: "There are no records.\n",
    });
    await withStore({ data }, async ({ table }) => {
      const trades = Array.from({ length: 1_234 }, (_, n) => trade(n, NOW - n * 1_000));
      await putTrades(new TradeRegister(table("Trades")), "BTC-USD", trades);
      for (const business of ["bolt", "acme"])
        await putTransaction(
          new TransactionRegister(table("Transactions")),
          contractBrand,
          business,
          transactionText(),
        );
    });
    const { stdout } = await runOperator(["tenants", "list", "--data", data]);
    expect(stdout.split("\n")).toEqual([
      "KIND      OWNER    RECORDS  NEWEST",
      "business  acme           1  2026-03-01T10:00:00.000000Z",
      "business  bolt           1  2026-03-01T10:00:00.000000Z",
      `market    BTC-USD    1,234  ${new Date(NOW).toISOString()}`,
      "",
    ]);
    const json = await runOperator(["tenants", "list", "--json", "--data", data]);
    expect(json.stderr).toBe("");
    expect(JSON.parse(json.stdout)).toHaveLength(3);
    expect(JSON.parse(json.stdout)[2]).toMatchObject({ kind: "market", owner: "BTC-USD", records: 1_234 });
  });
});

describe("before a stage's tables are read whole", () => {
  const GIB = 1024 ** 3;
  const sized = (bytes: number) => [{ table: "Trades", items: 1, bytes }] as const;

  test.each([
    [4 * GIB, undefined],
    [4 * GIB + 1, /about 4\.0 GiB, which costs about 0\.13 USD/],
    [100 * GIB, /about 100\.0 GiB, which costs about 3\.28 USD/],
  ])("somebody is asked from 4 GiB on (%j bytes)", (bytes, question) => {
    if (question === undefined) expect(questionFor(sized(bytes))).toBeUndefined();
    else expect(questionFor(sized(bytes))).toMatch(question);
  });

  test("a gigabyte costs what its read units cost", () => {
    expect(readingCost(4_096 * 1_000_000)).toBeCloseTo(0.125);
  });
});
