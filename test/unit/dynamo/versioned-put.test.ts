import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  ThrottlingException,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { Item } from "../../../lib/dynamo/item.ts";
import type { VersionedRecord } from "../../../lib/dynamo/resolve-version.ts";
import { putVersioned } from "../../../lib/dynamo/versioned-put.ts";
import { Failure } from "../../../lib/errors.ts";

const record: VersionedRecord = {
  key: ["id"],
  item: { id: { S: "1" }, version: { S: "5#0" }, state: { S: "open" }, doc: { S: "new" } },
  unusualAfter: (before) => (before?.state?.S === "shut" ? "shut → open" : undefined),
};
const NOTHING = "attribute_not_exists(#id)";
const stored = (version: number) => ({
  ...record.item,
  version: { S: `${version}#0` },
  doc: { S: `old ${version}` },
});

/** A store whose answers are given one by one: an item that fails the condition, one that is replaced, an error, or success. */
function storeOf(...answers: readonly (object | Error | "written" | { readonly replaced: Item })[]) {
  const rest = [...answers];
  const sent: { readonly name: string; readonly input: Record<string, unknown> }[] = [];
  const send = async (command: { input: Record<string, unknown>; constructor: { name: string } }) => {
    sent.push({ name: command.constructor.name, input: command.input });
    const answer = rest.shift();
    if (answer instanceof Error) throw answer;
    if (answer === "written" || answer === undefined) return { ConsumedCapacity: {} };
    if ("replaced" in answer) return { ConsumedCapacity: {}, Attributes: answer.replaced };
    throw new ConditionalCheckFailedException({ message: "", $metadata: {}, Item: answer as never });
  };
  return { table: { client: { send } as unknown as DynamoDBClient, name: "table" }, sent };
}
const conditionFailed = () => new ConditionalCheckFailedException({ message: "", $metadata: {} });

test("a new record or a later version costs one conditional put", async () => {
  const { table, sent } = storeOf("written");
  expect(await putVersioned(table, record)).toEqual({ outcome: "written" });
  expect(sent.map(({ name }) => name)).toEqual(["PutItemCommand"]);
});

test("the same put returns the replaced item, by which the step is found to be unusual or not", async () => {
  const { table, sent } = storeOf({ replaced: { ...stored(2), state: { S: "shut" } } });
  expect(await putVersioned(table, record)).toEqual({ outcome: "written", unusual: "shut → open" });
  expect(sent).toHaveLength(1);
});

test("the stored item that fails the condition explains why, without a further call", async () => {
  const { table, sent } = storeOf(stored(9));
  expect(await putVersioned(table, record)).toEqual({ outcome: "stale" });
  expect(sent).toHaveLength(1);
});

test("an item that was there and is gone when the condition fails makes room for the version", async () => {
  const { table, sent } = storeOf(stored(2), conditionFailed(), "written");
  expect(await putVersioned(table, record)).toEqual({ outcome: "written" });
  expect(sent.map(({ name }) => name)).toEqual(["PutItemCommand", "PutItemCommand", "PutItemCommand"]);
  expect(sent[2]?.input.ConditionExpression).toBe(NOTHING);
});

test("after a writer in between, the put is tried again on the item that it stored", async () => {
  const { table, sent } = storeOf(stored(2), stored(3), "written");
  expect(await putVersioned(table, record)).toEqual({ outcome: "written" });
  expect(sent.map(({ input }) => Object.values(input.ExpressionAttributeValues ?? {}))).toEqual([
    [{ S: "5#0" }],
    [{ S: "old 2" }, { S: "2#0" }],
    [{ S: "old 3" }, { S: "3#0" }],
  ]);
});

test("the put gives up when other writers are always faster, and says how long to wait", async () => {
  const { table, sent } = storeOf(...Array.from({ length: 40 }, () => stored(2)));
  await expect(putVersioned(table, record)).rejects.toMatchObject({
    code: "temporarily_unavailable",
    retryAfterMs: 1_000,
  });
  expect(sent.length).toBeLessThan(40);
});

test("a failing store throws, and is not an outcome", async () => {
  const throttled = new ThrottlingException({ message: "slow down", $metadata: {} });
  const { table } = storeOf(throttled);
  await expect(putVersioned(table, record)).rejects.toBeInstanceOf(Failure);
});

test("a put fails when an attribute that versions share has changed in between", async () => {
  const { table, sent } = storeOf({ ...stored(2), spelled: { S: "A" } }, "written");
  const handOn = (before: Item, given: Item): readonly [Item, Item] => [before, given];
  await putVersioned(table, { ...record, shared: { name: "spelled", handOn, isKept: false } });
  expect(sent.map(({ input }) => input.ConditionExpression)).toEqual([
    NOTHING,
    "#doc = :v0 AND #version = :v1 AND attribute_not_exists(#corrections) AND #spelled = :v2",
  ]);
});

test("a record that was corrected before is read before anything takes its place", async () => {
  const corrections = { S: "[]" };
  const { table, sent } = storeOf({ ...stored(2), corrections }, "written");
  expect(await putVersioned(table, record)).toEqual({ outcome: "written" });
  expect(sent[0]?.input.ConditionExpression).toBe(
    "attribute_not_exists(#id) OR (#version < :v0 AND attribute_not_exists(#corrections))",
  );
  expect(sent[1]?.input.Item).toEqual({ ...record.item, corrections });
});
