import { describe, expect, test } from "vitest";
import { rampKeyId } from "../../../lib/auth/credential.ts";
import { CredentialGroupStore } from "../../../lib/auth/credential-group-store.ts";
import { CredentialRegister } from "../../../lib/auth/credential-register.ts";
import { CredentialStore } from "../../../lib/auth/credential-store.ts";
import { hasItems } from "../../../lib/dynamo/has-items.ts";
import { putVersioned } from "../../../lib/dynamo/versioned-put.ts";
import { marketOf } from "../../../lib/markets/market.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { MarketStore } from "../../../lib/markets/market-store.ts";
import { PassRegister } from "../../../lib/passes/pass-register.ts";
import { PassStore } from "../../../lib/passes/pass-store.ts";
import { SellOrderStore } from "../../../lib/sell-orders/sell-order-store.ts";
import { SwitchRegister } from "../../../lib/switches/switch-register.ts";
import { SwitchStore } from "../../../lib/switches/switch-store.ts";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import { TradeStore } from "../../../lib/trades/trade-store.ts";
import { writeTrades } from "../../../lib/trades/trade-writer.ts";
import { TransactionListStore } from "../../../lib/transactions/transaction-list-store.ts";
import { TransactionStore } from "../../../lib/transactions/transaction-store.ts";
import { clientOver, type WireAnswer, type WireRequest } from "../../support/faulty-store.ts";
import { NOW, trade } from "../../support/trades.ts";

const credential = { id: rampKeyId("k"), kind: "ramp-key", owner: "acme", scopes: [], createdAt: 1 } as const;
const pass = {
  state: "current",
  partnerReference: "p-1",
  version: 1,
  text: "{}",
  templateId: undefined,
} as const;
const record = {
  item: { id: { S: "1" }, doc: { S: "{}" }, version: { S: "1" } },
  unusualAfter: () => undefined,
};
const segment = { partition: "A-B#1", sort: Buffer.from([1]), payload: Buffer.from([1]) };

type Work = (client: ReturnType<typeof clientOver>) => Promise<unknown>;

/** Every write there is, by what an operator would call it. */
const writes: Record<string, Work> = {
  "storing a version of a record": (client) => putVersioned(client, "T", record),
  "publishing a pass": (client) => new PassRegister(client, "T").publish(pass),
  "voiding a pass": (client) => new PassRegister(client, "T").void("p-1", 1),
  "giving a pass its template": (client) => new PassRegister(client, "T").adoptTemplate("p-1", "t"),
  "issuing a key": (client) => new CredentialRegister(client, "T").add(credential),
  "revoking a key": (client) => new CredentialRegister(client, "T").revoke(credential.id, 1),
  "removing a credential": (client) => new CredentialRegister(client, "T").remove(credential.id),
  "switching an endpoint off": (client) =>
    new SwitchRegister(client, "T").set("get-pass", { on: false, reason: "r" }),
  "switching an endpoint on": (client) => new SwitchRegister(client, "T").set("get-pass", { on: true }),
  "listing a market": (client) => new MarketRegister(client, "T").add(marketOf("A-B")),
  "changing a market": (client) => new MarketRegister(client, "T").put(marketOf("A-B")),
  "storing segments of trades": (client) => new TradeRegister(client, "T").put([segment]),
  "taking segments out": (client) => new TradeRegister(client, "T").removeAll([segment]),
  "taking a damaged segment out": (client) => new TradeRegister(client, "T").remove(segment),
  "storing trades": (client) => writeTrades(new TradeRegister(client, "T"), "A-B", [trade(1, NOW)]),
};

const clock = () => NOW;
const ORDER_ID = "0b0f4bd1-3b1c-4b60-8f0e-5a1f7a0c2d11";
const REQUEST_ID = "5a0c7a58-6b0e-4b56-9d6d-0a3b6f1c9e22";
const range = { partition: "A-B#1", from: segment.sort, to: segment.sort, after: undefined };

/** Every read there is of which "nothing there" would be an answer. */
const reads: Record<string, Work> = {
  "a transaction": (client) => new TransactionStore(client, "T").get("acme", "t-1"),
  "transactions of a request": (client) =>
    new TransactionStore(client, "T").newestByRequestId("acme", REQUEST_ID),
  "a page of transactions": (client) =>
    new TransactionListStore(client, "T").page({ businessId: "acme", count: 1 }),
  "a sell order": (client) => new SellOrderStore(client, "T").get("acme", ORDER_ID),
  "a pass": (client) => new PassStore(client, "T").get("p-1"),
  "a credential": (client) => new CredentialStore(client, "T", clock).get(credential.id),
  "the credentials of a certificate": (client) =>
    new CredentialGroupStore(client, "T", clock).getAll([credential.id]),
  "a switch": (client) => new SwitchStore(client, "T", clock).get("get-pass"),
  "a market": (client) => new MarketStore(client, "T", clock).get("A-B"),
  "segments of trades": (client) =>
    new TradeStore(client, "T").query({ ...range, segmentsMax: 1, isConsistent: true }),
  "the records of an owner": (client) => hasItems(client, "T", { name: "owner", value: "acme" }),
};

/** What operators read whole tables by. */
const lists: Record<string, Work> = {
  keys: (client) => Array.fromAsync(new CredentialRegister(client, "T").list()),
  markets: (client) => Array.fromAsync(new MarketRegister(client, "T").list()),
  "segments of trades": (client) => Array.fromAsync(new TradeRegister(client, "T").list("A-B")),
};

const emptyAnswers: Record<string, WireAnswer> = {
  "an empty object": { status: 200, body: "{}" },
  "an empty body": { status: 200, body: "" },
  "no content": { status: 204, body: "" },
};

describe.each(Object.entries(emptyAnswers))("where something in between answers with %s", (_, answer) => {
  test.each(Object.entries(writes))("%s is not taken for done", async (_, write) => {
    await expect(write(clientOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });

  test.each(Object.entries(reads))("%s: not taken for absent", async (_, read) => {
    await expect(read(clientOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });

  test.each(Object.entries(lists))("a list of %s is not taken for empty", async (_, list) => {
    await expect(list(clientOver(() => answer))).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});

/** As the store answers, with the price where it was asked for one. */
function priceOf({ operation, input }: WireRequest): WireAnswer {
  const price = { TableName: "T", CapacityUnits: 1 };
  const asked = input.ReturnConsumedCapacity === "TOTAL";
  const body = operation === "BatchWriteItem" ? { ConsumedCapacity: [price] } : { ConsumedCapacity: price };
  if (operation === "Query") return { status: 200, body: JSON.stringify({ Items: [], ...(asked && body) }) };
  return { status: 200, body: JSON.stringify(asked ? body : {}) };
}

test.each(Object.entries(writes))("%s is done once the store's answer has a price", async (_, write) => {
  await expect(write(clientOver(priceOf))).resolves.not.toThrow();
});

test.each(Object.entries(lists))(
  "a throttled list of %s is reported as a store that does not answer for now",
  async (_, list) => {
    const throttled = clientOver(() => ({
      status: 400,
      body: '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}',
    }));
    await expect(list(throttled)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  },
);
