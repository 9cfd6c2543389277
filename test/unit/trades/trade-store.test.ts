import { expect, test } from "vitest";
import { type SegmentQuestion, TradeStore } from "../../../lib/trades/trade-store.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";

const question: SegmentQuestion = {
  partition: "BTC-USD#649",
  from: Buffer.alloc(28, 1),
  to: Buffer.alloc(28, 2),
  after: undefined,
  segmentsMax: 3,
  isConsistent: true,
};
const key = Buffer.alloc(28, 9);
const wireKey = { pk: { S: question.partition }, sk: { B: key.toString("base64") } };
const item = { ...wireKey, d: { B: "AAAA" } };
const ConsumedCapacity = { TableName: "t", CapacityUnits: 2.5 };

/** The result of a query with this answer, and the request that was sent. */
function queryOver(answer: object, asked = question) {
  const requests: WireRequest[] = [];
  const client = clientOver((request) => {
    requests.push(request);
    return { status: 200, body: JSON.stringify(answer) };
  });
  return { requests, page: new TradeStore({ client, name: "trades" }).page(asked) };
}

test("a query asks for its cost, and returns it", async () => {
  const { requests, page } = queryOver({ Items: [item], ConsumedCapacity });
  expect(await page).toEqual({
    segments: [{ partition: question.partition, sort: key, payload: Buffer.alloc(3) }],
    after: undefined,
    units: 2.5,
  });
  expect(requests[0]?.input).toMatchObject({
    ReturnConsumedCapacity: "TOTAL",
    ConsistentRead: true,
    Limit: 3,
  });
});

test("the next query continues after the store's own key, with segments and without any", async () => {
  for (const Items of [[item], []]) {
    const LastEvaluatedKey = { ...wireKey, sk: { B: Buffer.alloc(28, 7).toString("base64") } };
    const { after } = await queryOver({ Items, LastEvaluatedKey, ConsumedCapacity }).page;
    expect(after).toEqual(Buffer.alloc(28, 7));
    const { requests, page } = queryOver({ Items: [], ConsumedCapacity }, { ...question, after });
    expect((await page).after).toBeUndefined();
    expect(requests[0]?.input.ExclusiveStartKey).toEqual(LastEvaluatedKey);
  }
});

test.each([
  ["nothing", {}],
  ["no list of items", { ConsumedCapacity }],
  ["no consumed capacity", { Items: [item] }],
  ["an empty list alone", { Items: [] }],
  ["a capacity without its units", { Items: [item], ConsumedCapacity: { TableName: "t" } }],
])("an answer with %s does not show that the store read: try again", async (_, answer) => {
  await expect(queryOver(answer).page).rejects.toMatchObject({ code: "temporarily_unavailable" });
});

test("a store that throttles does not look like an empty market", async () => {
  const client = clientOver(() => storeAnswers.error(400, "ThrottlingException"));
  await expect(new TradeStore({ client, name: "trades" }).page(question)).rejects.toMatchObject({
    code: "temporarily_unavailable",
  });
});
