import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { Failure } from "../errors.ts";
import type { WriteOutcome } from "../write-outcome.ts";
import { callStore } from "./client.ts";
import { Expression } from "./expression.ts";
import { type Item, type Settlement, settle, textOf, type VersionedRecord } from "./settle-version.ts";

/** For records that hand something on from version to version: each update looks at the stored one first. */
export interface Merge {
  /** Attributes that are handed on. */
  readonly carried: readonly string[];
  /** Stands in for `settle`. */
  settle(stored: Item): Settlement;
}

/** Each lost round was won by another writer of the same record. */
const ROUNDS_MAX = 16;

/**
 * Stores a version of a record unless what is stored is as new or forbids it, by one conditional put. Only where the
 * condition fails is the stored item looked at, which explains why, or shows that another writer was in between.
 * Throws a `Failure` when the store does not answer, or when other writers keep getting in between.
 */
export async function putVersioned(
  client: DynamoDBClient,
  tableName: string,
  record: VersionedRecord,
  merge?: Merge,
): Promise<WriteOutcome> {
  let attempt: Settlement = { outcome: { outcome: "written" }, item: record.item };
  let condition = merge === undefined ? supersedes(record) : isStill({}, []);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (attempt.item === undefined) return attempt.outcome;
    const stored = await tryPut(client, tableName, attempt.item, condition);
    if (stored === undefined) return attempt.outcome;
    attempt = merge === undefined ? settle(stored, record) : merge.settle(stored);
    condition = isStill(stored, merge?.carried ?? []);
  }
  throw new Failure("temporarily_unavailable", "Other writers of the record were faster each time.");
}

interface Condition {
  readonly text: string;
  readonly expression: Expression;
}

/** Nothing is stored, or what is stored is an earlier version that this one may follow. `settle` decides the rest. */
function supersedes({ item, follows, fixed }: VersionedRecord): Condition {
  const expression = new Expression();
  const clauses = [
    `${expression.name("version")} < ${expression.texts([textOf(item, "version")])}`,
    `${expression.name("state")} IN (${expression.texts(follows)})`,
    ...Object.values(fixed).map((attribute) => expression.equals(attribute, item[attribute])),
  ];
  return { text: `${expression.equals("doc", undefined)} OR (${clauses.join(" AND ")})`, expression };
}

/** What was seen is still what is stored. */
function isStill(seen: Item, carried: readonly string[]): Condition {
  const expression = new Expression();
  const clauses = ["doc", "version", ...carried].map((attribute) =>
    expression.equals(attribute, seen[attribute]),
  );
  return { text: clauses.join(" AND "), expression };
}

/** Puts an item under a condition. Where that fails, what is stored is returned: nothing, perhaps, because it is gone. */
async function tryPut(
  client: DynamoDBClient,
  tableName: string,
  item: Item,
  condition: Condition,
): Promise<Item | undefined> {
  const put = new PutItemCommand({
    TableName: tableName,
    Item: item,
    ConditionExpression: condition.text,
    ...condition.expression.references,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await callStore(() => client.send(put));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ?? {};
  }
}
