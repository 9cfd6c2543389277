import type { BatchWriteItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { TradeRegister } from "../../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";

type Requests = NonNullable<BatchWriteItemCommand["input"]["RequestItems"]>;

const segments = Array.from(
  { length: 60 },
  (_, n): StoredSegment => ({ partition: "BTC-USD#1", sort: Buffer.from([n]), payload: Buffer.from([n]) }),
);

/** A client that keeps the writes, but leaves some requests undone, as a throttled table does. */
function throttledClient(undone: (requests: NonNullable<Requests[string]>) => number) {
  const written: number[] = [];
  const batches: number[] = [];
  const send = async (command: BatchWriteItemCommand) => {
    const requests = command.input.RequestItems?.Trades ?? [];
    batches.push(requests.length);
    const done = requests.length - undone(requests);
    written.push(...requests.slice(0, done).map(({ PutRequest }) => PutRequest?.Item?.d?.B?.[0] ?? -1));
    const undoneOnes = done === requests.length ? {} : { Trades: requests.slice(done) };
    return { ConsumedCapacity: [{}], UnprocessedItems: undoneOnes };
  };
  return { client: { send } as unknown as DynamoDBClient, written, batches };
}

const registerOn = (client: DynamoDBClient, pauses: number[] = []) =>
  new TradeRegister({ client, name: "Trades" }, async (ms) => pauses.push(ms));

test("segments are written 25 at a time", async () => {
  const { client, written, batches } = throttledClient(() => 0);
  await registerOn(client).put(segments);
  expect(batches).toEqual([25, 25, 10]);
  expect(written).toHaveLength(60);
});

test("writes that the store left undone are repeated after growing pauses, and no others", async () => {
  const { client, written, batches } = throttledClient((requests) => Math.floor(requests.length / 2));
  const pauses: number[] = [];
  await registerOn(client, pauses).put(segments.slice(0, 25));
  expect(batches).toEqual([25, 12, 6, 3, 1]);
  expect(written.toSorted((a, b) => a - b)).toEqual(segments.slice(0, 25).map((_, n) => n));
  expect(pauses).toEqual([50, 100, 200, 400]);
});

test("a store that keeps leaving writes undone is reported as temporarily unavailable", async () => {
  const { client, batches } = throttledClient((requests) => requests.length);
  await expect(registerOn(client).put(segments)).rejects.toMatchObject({ code: "temporarily_unavailable" });
  expect(batches).toHaveLength(8);
});

test("an empty write makes no call", async () => {
  const { client, batches } = throttledClient(() => 0);
  await registerOn(client).put([]);
  expect(batches).toEqual([]);
});

test("segments are removed 25 at a time, and removals left undone are repeated", async () => {
  const sent: number[] = [];
  const taken: number[] = [];
  const send = async ({ input }: BatchWriteItemCommand) => {
    const requests = input.RequestItems?.Trades ?? [];
    sent.push(requests.length);
    const done = sent.length === 1 ? requests.slice(5) : requests;
    taken.push(...done.map(({ DeleteRequest }) => DeleteRequest?.Key?.sk?.B?.[0] ?? -1));
    const undone = done === requests ? {} : { Trades: requests.slice(0, 5) };
    return { ConsumedCapacity: [{}], UnprocessedItems: undone };
  };
  await registerOn({ send } as unknown as DynamoDBClient).removeAll(segments);
  expect(sent).toEqual([25, 5, 25, 10]);
  expect(taken.toSorted((a, b) => a - b)).toEqual(segments.map((_, n) => n));
});

test("a batch whose time is over fails as temporarily unavailable, between two attempts too", async () => {
  const time = new AbortController();
  let calls = 0;
  const send = async ({ input }: BatchWriteItemCommand, options?: { readonly abortSignal?: AbortSignal }) => {
    calls += 1;
    if (options?.abortSignal?.aborted === true)
      throw Object.assign(new Error("Request aborted"), { name: "AbortError" });
    time.abort();
    return { ConsumedCapacity: [{}], UnprocessedItems: input.RequestItems };
  };
  const register = registerOn({ send } as unknown as DynamoDBClient);
  await expect(register.put(segments, time.signal)).rejects.toMatchObject({
    code: "temporarily_unavailable",
  });
  expect(calls).toBe(2);
});
