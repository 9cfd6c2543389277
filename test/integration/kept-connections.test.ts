import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { json } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createDynamoClient } from "../../lib/dynamo/client.ts";
import { logOf } from "../../lib/log.ts";
import { createRateLimit } from "../../lib/rate-limit/create-rate-limit.ts";
import { TransactionListStore } from "../../lib/transactions/transaction-list-store.ts";
import { TransactionStore } from "../../lib/transactions/transaction-store.ts";
import { NOW } from "../support/chain.ts";
import { listenOnLoopback } from "../support/listen-on-loopback.ts";

const RECORDS = 25;
const positionOf = (nth: number) => ({ created_key: { S: `00179555400000${1_000 + nth}#tx-${nth}` } });
const answers = {
  positions: { Items: Array.from({ length: RECORDS }, (_, nth) => positionOf(nth)) },
  record: { Items: [{ ...positionOf(1), doc: { S: "{}" } }], Item: { doc: { S: "{}" } }, Attributes: {} },
};

/** A store that resets each connection which is used again although the function was frozen meanwhile. */
const openedBefore = new Map<Socket, number>();
let freezes = 0;
let resets = 0;
/** Requests that were not answered, once none is any more. */
let unanswered: number | undefined;
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { IndexName } = (await json(request)) as { IndexName?: string };
  if (unanswered !== undefined) {
    unanswered += 1;
    return;
  }
  if ((openedBefore.get(request.socket) ?? 0) < freezes) {
    resets += 1;
    request.socket.resetAndDestroy();
    return;
  }
  response.setHeader("content-type", "application/x-amz-json-1.0");
  response.end(JSON.stringify(IndexName === undefined ? answers.record : answers.positions));
}
const server = createServer((request, response) => void answer(request, response));
server.on("connection", (socket) => openedBefore.set(socket, freezes));

/** Resolves once the client has closed the connections that it does not keep, which it does some time after the answers. */
async function surplusClosed(): Promise<void> {
  const count = promisify(server.getConnections.bind(server));
  while ((await count()) > 1) await setImmediate();
}

const lines: string[] = [];

beforeAll(async () => {
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${await listenOnLoopback(server)}`);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});
beforeEach(() => {
  resets = 0;
  unanswered = undefined;
  lines.length = 0;
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

test("after a list that reads 25 records at once, a function that was frozen reads at the second try", async () => {
  const client = createDynamoClient();
  const store = new TransactionStore({ client, name: "Transactions" });
  const lists = new TransactionListStore({ client, name: "Transactions" });
  const list = () => lists.page({ businessId: "b", requestId: "r", count: RECORDS });
  expect((await list()).docs).toHaveLength(RECORDS);
  await surplusClosed();
  for (let thaw = 1; thaw <= 5; thaw += 1) {
    freezes += 1;
    expect(await store.get("b", "tx-1")).toBe("{}");
    expect(resets).toBe(thaw);
  }
  freezes += 1;
  expect((await list()).docs).toHaveLength(RECORDS);
});

const newLimit = () => {
  const buckets = [{ name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 }];
  return createRateLimit({ name: "sample", costMax: 1 }, buckets, {
    tableName: "RateLimits",
    clock: () => NOW,
    log: logOf({ stage: "test", endpoint: "sample" }),
  });
};

test("charges that were made at once leave nothing behind that a charge after a freeze takes for an outage", async () => {
  const limit = newLimit();
  await Promise.all(Array.from({ length: RECORDS }, (_, owner) => limit.charge(`owner-${owner}`, 1)));
  await surplusClosed();
  freezes += 1;
  expect((await limit.charge("owner", 1)).waitMs).toBe(0);
  expect(resets).toBe(1);
  expect(lines).toEqual([]);
});

test("a charge that is not answered is given up after one attempt, and told as an outage", async () => {
  unanswered = 0;
  expect((await newLimit().charge("owner", 1)).waitMs).toBe(0);
  expect(unanswered).toBe(1);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { limit: "sample", RateLimitOutage: 1, fault: { name: "TimeoutError" } },
  ]);
});
