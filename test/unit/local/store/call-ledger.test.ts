import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { CallLedger } from "../../../../local/store/call-ledger.ts";
import { type StoreCall, watchCall } from "../../../../local/store/store-call.ts";
import type { StoreAnswer, StoreRequest } from "../../../../local/store/wire.ts";

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

function openLedger() {
  const channel = new MessageChannel();
  channels.push(channel);
  const ledger = new CallLedger(channel.port1);
  return { ledger, tell: (session: string, at: number) => channel.port2.postMessage(callAt(session, at)) };
}

const callAt = (session: string, at: number): StoreCall => ({
  session,
  operation: "GetItem",
  table: "t",
  key: "id",
  arrivedNs: BigInt(at),
  durationMs: 1,
  readUnits: 1,
  writeUnits: 0,
});

describe("the ledger of calls", () => {
  test("has every call that was told before it is asked, without waiting for the event loop", () => {
    const { ledger, tell } = openLedger();
    for (const at of [1, 2, 3]) tell("a", at);
    tell("b", 2);
    expect(ledger.take("a", 1n, 3n).map(({ arrivedNs }) => arrivedNs)).toEqual([1n, 2n, 3n]);
    expect(ledger.take("b", 1n, 3n)).toEqual([callAt("b", 2)]);
  });

  test("gives each call once, to the request during which it arrived, in whatever order they ask", () => {
    const { ledger, tell } = openLedger();
    for (const at of [9, 10, 11, 12, 13]) tell("a", at);
    expect(ledger.take("a", 12n, 20n).map(({ arrivedNs }) => arrivedNs)).toEqual([12n, 13n]);
    expect(ledger.take("a", 10n, 11n).map(({ arrivedNs }) => arrivedNs)).toEqual([10n, 11n]);
    expect(ledger.take("a", 10n, 20n)).toEqual([]);
  });

  test("remembers a bounded number of calls and of sessions", () => {
    const { ledger, tell } = openLedger();
    for (let at = 0; at < 1_100; at += 1) tell("a", at);
    expect(ledger.take("a", 0n, 2_000n)).toHaveLength(1_000);
    for (let at = 0; at < 300; at += 1) tell(`s${at}`, at);
    expect(ledger.take("s0", 0n, 2_000n)).toEqual([]);
    expect(ledger.take("s299", 0n, 2_000n)).toHaveLength(1);
  });
});

describe("a call of the store", () => {
  /** What is told of a request, and the answer that the caller gets. */
  async function watched(request: StoreRequest, answer: StoreAnswer | Error) {
    const told: StoreCall[] = [];
    const asked: StoreRequest[] = [];
    const handle = async (one: StoreRequest): Promise<StoreAnswer> => {
      asked.push(one);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const given = await watchCall(handle, request, "session", (call) => told.push(call)).catch(
      (error) => error,
    );
    return { call: told[0], count: told.length, asked, given };
  }
  const capacity = { ConsumedCapacity: { TableName: "t", CapacityUnits: 2.5 } };
  const get = { operation: "GetItem", input: { TableName: "t", Key: { id: { S: "secret" } } } } as const;

  test("is told with its units, which the caller is shown only if it asked for them", async () => {
    const { call, given } = await watched(get, { status: 200, body: { ...capacity, Item: {} } });
    expect(call).toMatchObject({ session: "session", table: "t", key: "id", readUnits: 2.5, writeUnits: 0 });
    expect(given.body).toEqual({ Item: {} });
    const asking = { ...get, input: { ...get.input, ReturnConsumedCapacity: "TOTAL" } };
    expect((await watched(asking, { status: 200, body: capacity })).given.body).toEqual(capacity);
  });

  test("is told without any value of a key or a record", async () => {
    const query = {
      operation: "Query",
      input: {
        TableName: "t",
        IndexName: "by-created",
        KeyConditionExpression: "#a = :a AND #ab < :b",
        ExpressionAttributeNames: { "#a": "owner", "#ab": "created" },
        ExpressionAttributeValues: { ":a": { S: "secret" }, ":b": { S: "secret" } },
      },
    } as const;
    for (const request of [get, query]) {
      const { call } = await watched(request, { status: 200, body: { Items: [{ doc: { S: "secret" } }] } });
      expect(JSON.stringify({ ...call, arrivedNs: 0 })).not.toContain("secret");
    }
    expect((await watched(query, { status: 200, body: capacity })).call).toMatchObject({
      index: "by-created",
      key: "owner = :a AND created < :b",
    });
  });

  test("that fails its condition uses the units of the item that it met, and one without an item", async () => {
    const put = { operation: "PutItem", input: { TableName: "t", Item: {} } } as const;
    const body = { __type: "x#ConditionalCheckFailedException" };
    const { call } = await watched(put, { status: 400, body });
    expect(call).toMatchObject({ writeUnits: 1, readUnits: 0, failure: "ConditionalCheckFailedException" });
    const Item = { doc: { S: "x".repeat(1_500) } };
    expect((await watched(put, { status: 400, body: { ...body, Item } })).call?.writeUnits).toBe(2);
  });

  test("that is refused, or gets no answer, uses none", async () => {
    const refused = await watched(get, { status: 400, body: { __type: "x#ValidationException" } });
    expect(refused.call).toMatchObject({ readUnits: 0, failure: "ValidationException" });
    const cut = await watched(get, new Error("cut"));
    expect(cut.call).toMatchObject({ readUnits: 0, failure: "no answer" });
    expect([cut.given.message, cut.count]).toEqual(["cut", 1]);
  });
});
