import type { BatchWriteItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";

type Requests = NonNullable<BatchWriteItemCommand["input"]["RequestItems"]>;

const segments = Array.from(
  { length: 60 },
  (_, n): StoredSegment => ({ partition: "BTC-USD#1", sort: Buffer.from([n]), payload: Buffer.from([n]) }),
);

/** A client that keeps what it is given, but leaves some requests undone, as a throttled table does. */
function throttledClient(undone: (requests: NonNullable<Requests[string]>) => number) {
  const written: number[] = [];
  const batches: number[] = [];
  const send = async (command: BatchWriteItemCommand) => {
    const requests = command.input.RequestItems?.Trades ?? [];
    batches.push(requests.length);
    const done = requests.length - undone(requests);
    written.push(...requests.slice(0, done).map(({ PutRequest }) => PutRequest?.Item?.d?.B?.[0] ?? -1));
    return done === requests.length ? {} : { UnprocessedItems: { Trades: requests.slice(done) } };
  };
  return { client: { send } as unknown as DynamoDBClient, written, batches };
}

const registerOn = (client: DynamoDBClient, pauses: number[] = []) =>
  new TradeRegister(client, "Trades", async (ms) => pauses.push(ms));

test("segments are written 25 at a time", async () => {
  const { client, written, batches } = throttledClient(() => 0);
  await registerOn(client).put(segments);
  expect(batches).toEqual([25, 25, 10]);
  expect(written).toHaveLength(60);
});

test("what the store left undone is written again, after pauses that grow, and nothing else is", async () => {
  const { client, written, batches } = throttledClient((requests) => Math.floor(requests.length / 2));
  const pauses: number[] = [];
  await registerOn(client, pauses).put(segments.slice(0, 25));
  expect(batches).toEqual([25, 12, 6, 3, 1]);
  expect(written.toSorted((a, b) => a - b)).toEqual(segments.slice(0, 25).map((_, n) => n));
  expect(pauses).toEqual([50, 100, 200, 400]);
});

test("a store that goes on leaving writes undone is reported as one that does not answer for now", async () => {
  const { client, batches } = throttledClient((requests) => requests.length);
  await expect(registerOn(client).put(segments)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  expect(batches).toHaveLength(8);
});

test("nothing to write asks nothing of the store", async () => {
  const { client, batches } = throttledClient(() => 0);
  await registerOn(client).put([]);
  expect(batches).toEqual([]);
});
