import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import type { Credential, CredentialKind } from "../../lib/auth/credential.ts";
import { CredentialRegister } from "../../lib/auth/credential-register.ts";
import { contractBrand } from "../../lib/brand.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { PassRegister } from "../../lib/passes/pass-register.ts";
import { putPass } from "../../lib/passes/put-pass.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { SwitchRegister } from "../../lib/switches/switch-register.ts";
import { compactionOf } from "../../lib/trades/compaction.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { withdrawTrades } from "../../lib/trades/withdraw-trades.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { buildProgram } from "../../ops/program.ts";
import { describedCalls, describedTables, makersOf } from "../support/data-model.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { type Engine, installedEngines, startEngine } from "../support/engine.ts";
import { exchangeBuckets } from "../support/limits.ts";
import { codeIn } from "../support/markdown.ts";
import { NOW, trade } from "../support/trades.ts";

type Item = Readonly<Record<string, AttributeValue>>;
type Writer = (table: Table) => Promise<unknown>;

const OLDER = { updated_at: "2026-03-01T09:00:00Z" };
const correction = { correct: { reason: "a test" } };

const passText = (reference: string, version: number, members: object = {}): string =>
  JSON.stringify({ partner_reference: reference, type: "loyalty_pass", version, ...members });

/** Every member that a credential may have. A new member has to be added here, and then appears in the table. */
const credential: Required<Credential> = {
  id: "jws#full",
  kind: "jws",
  owner: "wallet",
  scopes: ["passes.read"],
  publicKey: "{}",
  createdAt: NOW,
  expiresAt: NOW + 1,
  revokedAt: NOW + 2,
};
const kinds: Readonly<Record<CredentialKind, string>> = {
  "ramp-key": "ramp-key#0",
  "exchange-key": "exchange-key#0",
  subject: "subject#issuer#acme",
  jws: "jws#plain",
  certificate: "certificate#0",
  "certificate-name": "certificate-name#0",
};

/** Fills each table with items of every kind, by the code that fills it in operation. */
const writers: Readonly<Record<TableName, Writer>> = {
  Transactions: async (table) => {
    const put = (text: string, intake = {}) =>
      putTransaction(new TransactionRegister(table), contractBrand, "acme", text, intake);
    await put(transactionText({ request_id: "request-1" }));
    await put(transactionText({ id: "tx-2" }));
    await put(transactionText({ id: "tx-2", ...OLDER }), correction);
  },
  SellOrders: async (table) => {
    const put = (text: string, intake = {}) =>
      putSellOrder(new SellOrderRegister(table), contractBrand, "acme", text, intake);
    await put(sellOrderText({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }));
    await put(sellOrderText());
    await put(sellOrderText(OLDER), correction);
  },
  Passes: async (table) => {
    const register = new PassRegister(table);
    const put = (text: string, intake = {}) => putPass(register, text, intake);
    await put(passText("plain", 1));
    await put(passText("corrected", 2, { template_id: "template-1" }));
    await put(passText("corrected", 1, { template_id: "template-1" }), correction);
    await put(passText("void", 1));
    await register.void("void", NOW);
  },
  Trades: async (table) => {
    const register = new TradeRegister(table);
    await putTrades(register, "BTC-USD", [trade(1, NOW), trade(2, NOW)]);
    await withdrawTrades(register, "BTC-USD", [trade(1, NOW)], 1);
    const span = { fromMs: NOW - 2_000, toMs: NOW + 2_000 };
    const read = await register.segmentsWithin("BTC-USD", span);
    const compaction = compactionOf("BTC-USD", { read, apart: [] }, NOW);
    if (typeof compaction !== "object") throw new Error("Nothing is compacted.");
    await register.put(compaction.put);
    expect(await register.withdrawals("BTC-USD", span)).toHaveLength(1);
  },
  Credentials: async (table) => {
    const register = new CredentialRegister(table);
    await register.add(credential);
    const { publicKey: _key, expiresAt: _end, revokedAt: _revocation, ...plain } = credential;
    for (const [kind, id] of Object.entries(kinds))
      await register.add({ ...plain, kind: kind as CredentialKind, id });
    await register.revoke(kinds.certificate, NOW);
  },
  RateLimits: async (table) => {
    const charge = { now: NOW, cost: 1, busy: new Set<string>() };
    await new RateLimitStore(table).charge("trades#acme", bucketsOf(exchangeBuckets, 30), charge);
  },
  Settings: async (table) => {
    await new SwitchRegister(table).put("get-pass", { on: false, reason: "a test" });
    await new MarketRegister(table).put(marketOf("BTC-USD"));
  },
};

/** Attributes that are named after an operator's setting. */
const withoutSettings = (name: string): string => name.replace(/^t_.+$/, "t_<bucket>");

const typesOf = (item: Item): Map<string, string> =>
  new Map(
    Object.entries(item).map(
      ([name, value]) => [withoutSettings(name), Object.keys(value)[0] ?? ""] as const,
    ),
  );

/** Every attribute of some items, as `name type`, and whether each of them has it. */
function attributesOf(items: readonly Item[]): Record<string, "always" | "sometimes"> {
  const found = items.map(typesOf);
  const all = found.flatMap((types) => [...types].map(([name, type]) => `${name} ${type}`));
  const isInEach = (attribute: string): boolean =>
    all.filter((one) => one === attribute).length === items.length;
  return Object.fromEntries(
    all.map((attribute) => [attribute, isInEach(attribute) ? "always" : "sometimes"]),
  );
}

const nameOf = (cell: string | undefined): string => codeIn(cell)[0] ?? "";

describe.each(Object.entries(tables) as [TableName, TableSchema][])(
  "docs/data-model.md on %s",
  (name, schema) => {
    const described = describedTables.find((table) => table.name === name);
    let engine: Engine;
    beforeAll(async () => {
      engine = await startEngine(installedEngines[0] ?? "dynalite");
    });
    afterAll(() => engine.close());

    test("names every attribute that is written, with its type and whether each item has it, and no other", async () => {
      await writers[name](engine.table(name));
      const { Items = [] } = await engine.client.send(new ScanCommand({ TableName: engine.tableName(name) }));
      const rows = described?.attributes ?? [];
      const told = rows.map(({ attribute, type, written }) => [
        `${nameOf(attribute)} ${type?.split(",")[0]}`,
        written === "always" ? "always" : "sometimes",
      ]);
      expect(Object.fromEntries(told)).toEqual(attributesOf(Items));
    });

    test("names its keys and its time to live", () => {
      const isMarked = (mark: string) =>
        described?.attributes
          .filter(({ type }) => type?.endsWith(`, ${mark}`))
          .map(({ attribute }) => nameOf(attribute));
      expect(isMarked("partition key")).toEqual([schema.partition.name]);
      expect(isMarked("sort key")).toEqual([schema.sort?.name].filter((key) => key !== undefined));
      expect(isMarked("TTL")).toEqual([schema.expiresAt].filter((attribute) => attribute !== undefined));
    });

    test("names its indexes, with their keys and what they project", () => {
      const told = described?.indexes.map((row) => ({
        name: nameOf(row.index),
        partition: nameOf(row["partition key"]),
        sort: nameOf(row["sort key"]),
        projection: row.projects,
      }));
      expect(told).toEqual(
        schema.indexes.map((index) => ({
          name: index.name,
          partition: index.partition.name,
          sort: index.sort?.name,
          projection: index.projection,
        })),
      );
    });
  },
);

test("docs/data-model.md describes every table, once", () => {
  expect(describedTables.map(({ name }) => name)).toEqual(Object.keys(tables));
});

test.each(endpoints)(
  "docs/data-model.md names every call that $contract.name is granted, and no other",
  (endpoint) => {
    const granted = endpoint.tables.flatMap(({ table, actions, queriedIndexes }) => [
      ...actions.map((action) => `dynamodb:${action} on ${table}`),
      ...queriedIndexes.map((index) => `dynamodb:Query on ${table}/index/${index}`),
    ]);
    const told = describedCalls(endpoint.contract.name).map(({ call }) => call);
    expect([...new Set(told)].toSorted()).toEqual(granted.toSorted());
  },
);

test("docs/data-model.md names only existing endpoints and commands as readers and writers", () => {
  const program = buildProgram();
  const isCommand = (words: string): boolean => {
    let at = program;
    for (const word of words.split(" ").filter((one) => !one.startsWith("--"))) {
      const next = at.commands.find((command) => command.name() === word);
      if (next === undefined) return at !== program && at.commands.length === 0;
      at = next;
    }
    return true;
  };
  const known = new Set(endpoints.map(({ contract }) => contract.name));
  const makers = describedTables.flatMap(({ accesses }) => accesses.flatMap(makersOf));
  expect(makers.length).toBeGreaterThan(20);
  expect(makers.filter((maker) => !known.has(maker) && !isCommand(maker))).toEqual([]);
});
