import { describe, expect, test } from "vitest";
import { rampKeyId } from "../../../lib/auth/credential.ts";
import { CredentialGroupStore } from "../../../lib/auth/credential-group-store.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { hasItems } from "../../../lib/dynamo/has-items.ts";
import type { VersionedRecord } from "../../../lib/dynamo/resolve-version.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { putVersioned } from "../../../lib/dynamo/versioned-put.ts";
import { marketOf } from "../../../lib/markets/market.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { SellOrderStore } from "../../../lib/sell-orders/sell-order-store.ts";
import { SwitchStore } from "../../../lib/switches/switch-store.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import { TradeStore } from "../../../lib/trades/trade-store.ts";
import { TransactionListStore } from "../../../lib/transactions/transaction-list-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { SwitchRegister } from "../../../ops/switches/switch-register.ts";
import { clientOver, type WireAnswer, type WireRequest } from "../../support/faulty-store.ts";
import { NOW, trade } from "../../support/trades.ts";

const credential = { id: rampKeyId("k"), kind: "ramp-key", owner: "acme", scopes: [], createdAt: 1 } as const;
const pass = {
  partnerReference: "p-1",
  version: 1,
  text: "{}",
  templateId: undefined,
} as const;
const record: VersionedRecord = {
  key: ["id"],
  item: { id: { S: "1" }, doc: { S: "{}" }, version: { S: "1" } },
};
const segment = { partition: "A-B#1", sort: Buffer.from([1]), payload: Buffer.from([1]) };

const tableOver = (answer: Parameters<typeof clientOver>[0]): Table => ({
  client: clientOver(answer),
  name: "T",
});

type Work = (table: Table) => Promise<unknown>;

/** Every write, by the operator's name for it. */
const writes: Record<string, Work> = {
  "storing a version of a record": (table) => putVersioned(table, record),
  "publishing a pass": (table) => new PassRegister(table).put(pass),
  "voiding a pass": (table) => new PassRegister(table).void("p-1", 1),
  "issuing a key": (table) => new CredentialRegister(table).add(credential),
  "revoking a key": (table) => new CredentialRegister(table).revoke(credential.id, 1),
  "labelling a key": (table) => new CredentialRegister(table).label(credential.id, "a label"),
  "replacing a key": (table) => new CredentialRegister(table).replace(credential.id, "jws#new", 1),
  "removing a credential": (table) => new CredentialRegister(table).remove(credential.id),
  "switching an endpoint off": (table) =>
    new SwitchRegister(table).put("get-pass", { on: false, reason: "r" }),
  "switching an endpoint on": (table) => new SwitchRegister(table).put("get-pass", { on: true }),
  "listing a market": (table) => new MarketRegister(table).add(marketOf("A-B")),
  "changing a market": (table) => new MarketRegister(table).put(marketOf("A-B")),
  "storing segments of trades": (table) => new TradeRegister(table).put([segment]),
  "taking segments out": (table) => new TradeRegister(table).removeAll([segment]),
  "taking a damaged segment out": (table) => new TradeRegister(table).remove(segment),
  "storing trades": (table) => putTrades(new TradeRegister(table), "A-B", [trade(1, NOW)]),
};

const clock = () => NOW;
const ORDER_ID = "0b0f4bd1-3b1c-4b60-8f0e-5a1f7a0c2d11";
const REQUEST_ID = "5a0c7a58-6b0e-4b56-9d6d-0a3b6f1c9e22";
const range = { partition: "A-B#1", from: segment.sort, to: segment.sort, after: undefined };

/** Every read that could answer that nothing is there. */
const reads: Record<string, Work> = {
  "a transaction": (table) => new TransactionStore(table).get("acme", "t-1"),
  "transactions of a request": (table) =>
    new TransactionStore(table).getNewestByRequestId("acme", REQUEST_ID),
  "a page of transactions": (table) => new TransactionListStore(table).page({ businessId: "acme", count: 1 }),
  "a sell order": (table) => new SellOrderStore(table).get("acme", ORDER_ID),
  "a pass": (table) => new PassStore(table).get("p-1"),
  "a credential": (table) => new CredentialStore(table, clock).get(credential.id),
  "the credentials of a certificate": (table) =>
    new CredentialGroupStore(table, clock).getAll([credential.id]),
  "a switch": (table) => new SwitchStore(table, clock).get("get-pass"),
  "a market": (table) => new MarketStore(table, clock).get("A-B"),
  "segments of trades": (table) =>
    new TradeStore(table).page({ ...range, segmentsMax: 1, isConsistent: true }),
  "the records of an owner": (table) => hasItems(table, { name: "owner", value: "acme" }),
};

/** The operators' reads of whole tables. */
const lists: Record<string, Work> = {
  keys: (table) => Array.fromAsync(new CredentialRegister(table).list()),
  markets: (table) => Array.fromAsync(new MarketRegister(table).list()),
  "segments of trades": (table) => Array.fromAsync(new TradeRegister(table).list("A-B")),
};

const emptyAnswers: Record<string, WireAnswer> = {
  "an empty object": { status: 200, body: "{}" },
  "an empty body": { status: 200, body: "" },
  "no content": { status: 204, body: "" },
};

describe.each(Object.entries(emptyAnswers))("when a proxy answers with %s", (_, answer) => {
  test.each(Object.entries(writes))("%s does not count as done", async (_, write) => {
    await expect(write(tableOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });

  test.each(Object.entries(reads))("%s: does not count as absent", async (_, read) => {
    await expect(read(tableOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });

  test.each(Object.entries(lists))("a list of %s does not count as empty", async (_, list) => {
    await expect(list(tableOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});

/** The answer of the store, with the price if the call asked for it. */
function priceOf({ operation, input }: WireRequest): WireAnswer {
  const price = { TableName: "T", CapacityUnits: 1 };
  const asked = input.ReturnConsumedCapacity === "TOTAL";
  const body = operation === "BatchWriteItem" ? { ConsumedCapacity: [price] } : { ConsumedCapacity: price };
  if (operation === "Query") return { status: 200, body: JSON.stringify({ Items: [], ...(asked && body) }) };
  return { status: 200, body: JSON.stringify(asked ? body : {}) };
}

test.each(Object.entries(writes))("%s is done once the store's answer has a price", async (_, write) => {
  await expect(write(tableOver(priceOf))).resolves.not.toThrow();
});

test.each(Object.entries(lists))(
  "a throttled list of %s is reported as temporarily unavailable",
  async (_, list) => {
    const throttled = tableOver(() => ({
      status: 400,
      body: '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}',
    }));
    await expect(list(throttled)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  },
);
