import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busyTrades } from "../../bench/support/busy-trades.ts";
import { CredentialGroupStore } from "../../lib/auth/credential-group-store.ts";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { respond } from "../../lib/http/respond.ts";
import { RateLimitStore } from "../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../lib/rate-limit/token-bucket.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../lib/sell-orders/sell-order-register.ts";
import { SellOrderStore } from "../../lib/sell-orders/sell-order-store.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import { type StoredSegment, TradeStore } from "../../lib/trades/trade-store.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import { TransactionRegister } from "../../lib/transactions/transaction-register.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { readFunctionResponse } from "../../local/gateway/response.ts";
import { createLocalClient } from "../../local/store/engine.ts";
import { createTables } from "../../local/store/tables.ts";
import { stageTables } from "../../ops/store/local-tables.ts";
import { NOW } from "../support/chain.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";
import { type Engine, installedEngines, startEngine } from "../support/engine.ts";
import { exchangeBuckets } from "../support/limits.ts";

/** The members of a request of the SDK, into which a breach is planted. */
type Input = Record<string, never> & {
  TableName: string;
  IndexName?: string;
  Item: Record<string, AttributeValue>;
  Key: Record<string, AttributeValue>;
  RequestItems: Record<string, readonly object[] | { readonly Keys: readonly object[] }>;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, AttributeValue>;
  ExclusiveStartKey?: Record<string, AttributeValue>;
  ProjectionExpression: string;
  UpdateExpression: string;
  FilterExpression: string;
  KeyConditionExpression: string;
};

type Plant = (input: Input) => object;

/** The first write or key of a batch. */
const firstOf = (batch: Input["RequestItems"][string]): object =>
  ("Keys" in batch ? batch.Keys[0] : batch[0]) ?? {};

/** Members without one of them. */
const without = (members: object = {}, name: string): object =>
  Object.fromEntries(Object.entries(members).filter(([member]) => member !== name));

/** A use of one of our own stores. */
type Use = (client: DynamoDBClient, table: (name: TableName) => string) => Promise<unknown>;

const businessId = "business-1";
const all = { businessId, count: 10 } as const;
const position = "001795554000000000#tx-1";

const uses = {
  listing: (client, table) =>
    new TransactionListStore({ client, name: table("Transactions") }).page({ ...all, position }),
  "a filtered listing": (client, table) =>
    new TransactionListStore({ client, name: table("Transactions") }).page({ ...all, types: ["fee"] }),
  "a listing by request id": (client, table) =>
    new TransactionListStore({ client, name: table("Transactions") }).page({ ...all, requestId: "r" }),
  "a look-up by request id": (client, table) =>
    new TransactionStore({ client, name: table("Transactions") }).getNewestByRequestId(businessId, "r"),
  "a read by id": (client, table) =>
    new TransactionStore({ client, name: table("Transactions") }).get(businessId, "tx"),
  "a read of an order": (client, table) =>
    new SellOrderStore({ client, name: table("SellOrders") }).get(
      "partner-1",
      "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f",
    ),
  "a put of a transaction": (client, table) =>
    putTransaction(
      new TransactionRegister({ client, name: table("Transactions") }),
      contractBrand,
      businessId,
      transactionText(),
    ),
  "a put of an order": (client, table) =>
    putSellOrder(
      new SellOrderRegister({ client, name: table("SellOrders") }),
      contractBrand,
      "partner-1",
      sellOrderText(),
    ),
  "a write of trades": (client, table) => {
    const register = new TradeRegister({ client, name: table("Trades") });
    const put = (segments: readonly StoredSegment[]) => register.put(segments);
    const sink = { put, withdrawals: async () => [] };
    return putTrades(sink, "BTC-USD", busyTrades(600, 4_000, NOW, 1));
  },
  "a read of segments": (client, table) =>
    new TradeStore({ client, name: table("Trades") }).page({
      partition: "BTC-USD#1",
      from: Buffer.alloc(28, 1),
      to: Buffer.alloc(28, 2),
      after: undefined,
      segmentsMax: 3,
      isConsistent: true,
    }),
  "a charge": (client, table) =>
    new RateLimitStore({ client, name: table("RateLimits") }).charge("k", bucketsOf(exchangeBuckets, 30), {
      now: NOW,
      cost: 1,
      busy: new Set(),
    }),
  "a look-up of several credentials": (client, table) =>
    new CredentialGroupStore({ client, name: table("Credentials") }, systemClock).getAll(["jws#a", "jws#b"]),
} as const satisfies Record<string, Use>;

/** Breaches, each with the request of ours that it is planted into and DynamoDB's refusal. */
const breaches: readonly (readonly [what: string, use: keyof typeof uses, plant: Plant, refusal: RegExp])[] =
  [
    [
      "asks a keys-only index for the document",
      "a look-up by request id",
      (input) => ({
        ProjectionExpression: `${input.ProjectionExpression}, #doc`,
        ExpressionAttributeNames: { ...input.ExpressionAttributeNames, "#doc": "doc" },
      }),
      /Global secondary index by-request does not project \[doc\]/,
    ],
    [
      "filters by a column that its index lacks",
      "a listing by request id",
      (input) => ({
        FilterExpression: "#doc <> :v0",
        ExpressionAttributeNames: { ...input.ExpressionAttributeNames, "#doc": "doc" },
      }),
      /does not project one or more filter attributes: \[doc\]/,
    ],
    [
      "reads an index strongly",
      "listing",
      () => ({ ConsistentRead: true }),
      /Consistent reads are not supported on global secondary indexes/,
    ],
    [
      "filters by a key",
      "a filtered listing",
      ({ FilterExpression }) => ({ FilterExpression: `${FilterExpression} AND #created_key <> :v0` }),
      /Filter Expression can only contain non-primary key attributes: Primary key attribute: created_key/,
    ],
    [
      "names an index that is not there",
      "listing",
      () => ({ IndexName: "by-creation" }),
      /The table does not have the specified index: by-creation/,
    ],
    [
      "asks for all attributes of an index that has not all",
      "a look-up by request id",
      () => ({ Select: "ALL_ATTRIBUTES", ProjectionExpression: undefined }),
      /ALL_ATTRIBUTES is not supported for global secondary index by-request/,
    ],
    [
      "goes on from a key without the index's own",
      "listing",
      ({ ExclusiveStartKey }) => ({ ExclusiveStartKey: without(ExclusiveStartKey, "created_key") }),
      /The provided starting key is invalid/,
    ],
    [
      "spells a reserved word out",
      "a read by id",
      (input) => ({
        ProjectionExpression: `${input.ProjectionExpression}, state`,
      }),
      /Attribute name is a reserved keyword; reserved keyword: state/,
    ],
    [
      "declares a name that it does not use",
      "a read of an order",
      (input) => ({ ExpressionAttributeNames: { ...input.ExpressionAttributeNames, "#x": "x" } }),
      /Value provided in ExpressionAttributeNames unused in expressions: keys: \{#x\}/,
    ],
    [
      "uses a value that it does not declare",
      "a read of segments",
      ({ ExpressionAttributeValues: values }) => ({ ExpressionAttributeValues: without(values, ":to") }),
      /An expression attribute value used in expression is not defined; attribute value: :to/,
    ],
    [
      "lacks a key",
      "a put of an order",
      ({ Item }) => ({ Item: without(Item, "order_id") }),
      /Missing the key order_id in the item/,
    ],
    [
      "has an empty key",
      "a put of an order",
      ({ Item }) => ({ Item: { ...Item, partner_id: { S: "" } } }),
      /cannot contain an empty string value. Key: partner_id/,
    ],
    [
      "has a sort key of 1,025 bytes",
      "a put of a transaction",
      ({ Item }) => ({ Item: { ...Item, id: { S: "x".repeat(1_025) } } }),
      /Aggregated size of all range keys has exceeded the size limit of 1024 bytes/,
    ],
    [
      "has an empty key of an index",
      "a put of a transaction",
      ({ Item }) => ({ Item: { ...Item, request_key: { S: "" } } }),
      /IndexName: by-request, IndexKey: request_key/,
    ],
    [
      "is an item of more than 400 KB",
      "a put of a transaction",
      ({ Item }) => ({ Item: { ...Item, doc: { S: "x".repeat(409_600) } } }),
      /Item size has exceeded the maximum allowed size/,
    ],
    [
      "is a number of 39 digits",
      "a charge",
      (input) => ({
        ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ":now": { N: "1".repeat(39) } },
      }),
      /Attempting to store more than 38 significant digits in a Number/,
    ],
    [
      "changes a key",
      "a charge",
      (input) => ({
        UpdateExpression: `${input.UpdateExpression}, #k = :now`,
        ExpressionAttributeNames: { ...input.ExpressionAttributeNames, "#k": "k" },
      }),
      /Cannot update attribute k. This attribute is part of the key/,
    ],
    [
      "sets one attribute twice",
      "a charge",
      (input) => ({ UpdateExpression: `${input.UpdateExpression}, #x = :now` }),
      /Two document paths overlap with each other/,
    ],
    [
      "returns what only an update returns",
      "a put of an order",
      () => ({ ReturnValues: "ALL_NEW" }),
      /ReturnValues can only be ALL_OLD or NONE/,
    ],
    [
      "asks for 0 items",
      "a read of segments",
      () => ({ Limit: 0 }),
      /at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1/,
    ],
    [
      "has its bounds crossed",
      "a read of segments",
      ({ ExpressionAttributeValues: { ":from": from, ":to": to, ...rest } }) => ({
        ExpressionAttributeValues: { ...rest, ":from": to, ":to": from },
      }),
      /BETWEEN operator requires upper bound to be greater than or equal to lower bound/,
    ],
    [
      "compares no partition",
      "a read of segments",
      ({ ExpressionAttributeValues: values }) => ({
        KeyConditionExpression: "#sk BETWEEN :from AND :to",
        ExpressionAttributeNames: { "#sk": "sk" },
        ExpressionAttributeValues: without(values, ":pk"),
      }),
      /Query condition missed key schema element: pk/,
    ],
    [
      "is a batch of more than 25 writes",
      "a write of trades",
      ({ RequestItems }) => ({
        RequestItems: Object.fromEntries(
          Object.entries(RequestItems).map(([table, writes]) => [table, Array(26).fill(firstOf(writes))]),
        ),
      }),
      /Too many items requested for the BatchWriteItem call|failed to satisfy constraint/,
    ],
    [
      "is a batch with one key twice",
      "a write of trades",
      ({ RequestItems }) => ({
        RequestItems: Object.fromEntries(
          Object.entries(RequestItems).map(([table, writes]) => [table, [firstOf(writes), firstOf(writes)]]),
        ),
      }),
      /Provided list of item keys contains duplicates/,
    ],
    [
      "reads one credential twice in a batch",
      "a look-up of several credentials",
      ({ RequestItems }) => ({
        RequestItems: Object.fromEntries(
          Object.entries(RequestItems).map(([table, reads]) => [
            table,
            { Keys: [firstOf(reads), firstOf(reads)] },
          ]),
        ),
      }),
      /Provided list of item keys contains duplicates/,
    ],
  ];

/** A client that plants a breach into each request before it is sent. */
function planting(endpoint: string, plant: Plant): DynamoDBClient {
  const client = createLocalClient({ endpoint, accessKeyId: "local" });
  client.middlewareStack.add(
    (next) => (sent) => next({ ...sent, input: { ...sent.input, ...plant(sent.input as Input) } }),
    { step: "initialize" },
  );
  return client;
}

describe.each(installedEngines)("a breach that is planted in our own requests is refused on %s:", (kind) => {
  let engine: Engine;
  const table = (name: TableName): string => engine.tableName(name);
  beforeAll(async () => {
    engine = await startEngine(kind);
  });
  afterAll(() => engine.close());

  test.each(Object.entries(uses))("%s without a breach is not", async (_, use) => {
    await use(engine.client, table);
  });

  test.each(breaches)("one that %s (%s)", async (_, use, plant, refusal) => {
    const client = planting(engine.endpoint, plant);
    await expect(uses[use](client, table)).rejects.toMatchObject({
      name: "ValidationException",
      message: expect.stringMatching(refusal),
    });
    client.destroy();
  });

  test("an index that projects too little for the listing that reads it", async () => {
    const [transactions] = stageTables("narrow");
    const indexes = transactions?.indexes.map((index) => ({
      ...index,
      Projection: { ProjectionType: "KEYS_ONLY" as const },
    }));
    if (transactions === undefined || indexes === undefined) throw new Error("There is no such table.");
    await createTables(engine.client, [{ ...transactions, indexes }]);
    await expect(uses.listing(engine.client, () => transactions.name)).rejects.toThrow(
      "Global secondary index by-created does not project [doc]",
    );
  });
});

describe("a breach that is planted in our own answers is refused:", () => {
  const answer = respond({ body: "{}", coding: "identity" }, "no-store", undefined);
  const statusOf = (changes: object): number =>
    readFunctionResponse(JSON.stringify({ ...answer, ...changes })).statusCode;

  test("an answer without a breach is not", () => {
    expect(statusOf({})).toBe(200);
  });

  test.each<[string, object]>([
    ["6.1 MB", { body: "x".repeat(6_396_314) }],
    ["4 MB of quotes, which the runtime writes as 8", { body: '"'.repeat(4_000_000) }],
    ["a header that is a number", { headers: { ...answer.headers, "Retry-After": 5 } }],
    ["a header that is a list", { headers: { ...answer.headers, Vary: ["Accept-Encoding"] } }],
    ["a header with a line break", { headers: { ...answer.headers, Link: "<a>\r\nSet-Cookie: b" } }],
    ["more than 10,240 bytes of headers", { headers: { ...answer.headers, Link: "x".repeat(10_241) } }],
    ["a status that HTTP does not have", { statusCode: 2_000 }],
    ["a body that is an object", { body: { id: "x" } }],
    ["text that is said to be Base64", { isBase64Encoded: true, body: "{}" }],
  ])("%s", (_, changes) => {
    expect(statusOf(changes)).toBe(500);
  });
});
