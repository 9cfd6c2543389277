import { ConditionalCheckFailedException, PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { ownMember } from "../own-member.ts";
import { Expression } from "./expression.ts";
import { type Item, keyOf } from "./item.ts";
import { priced, provenWrite } from "./proven.ts";
import type { VersionedRecord } from "./resolve-version.ts";
import type { Table } from "./table.ts";

/** The result: done, with the item that a put replaced; or not done, with the item in its way, which may be empty. */
export type Attempt =
  | { readonly isDone: true; readonly before: Item | undefined }
  | { readonly isDone: false; readonly stored: Item };

/**
 * Writes a version when nothing is stored, or a lower one that need not be looked at: it is uncorrected and has nothing
 * to hand on. `resolveVersion` decides the other cases.
 */
export function writeIfLower(table: Table, record: VersionedRecord): Promise<Attempt> {
  const { key, item, shared } = record;
  const { version = { S: "" } } = item;
  const expression = new Expression();
  const nothing = expression.equals(key[0], undefined);
  if (shared?.isKept === false) return tryWrite(table, record, { text: nothing, expression });
  const lower = [
    `${expression.name("version")} < ${expression.value(version)}`,
    expression.equals("corrections", undefined),
  ];
  const given = shared && ownMember(item, shared.name);
  if (shared !== undefined && given !== undefined)
    lower.push(`(${[undefined, given].map((value) => expression.equals(shared.name, value)).join(" OR ")})`);
  return tryWrite(table, record, { text: `${nothing} OR (${lower.join(" AND ")})`, expression });
}

/** Writes a version while the item that was seen is still stored; an empty one stands for none. */
export function writeIfStill(table: Table, record: VersionedRecord, seen: Item): Promise<Attempt> {
  const { key, shared } = record;
  const expression = new Expression();
  const resolvedBy = ["doc", "version", "corrections", ...(shared === undefined ? [] : [shared.name])];
  const isNone = Object.keys(seen).length === 0;
  const clauses = (isNone ? [key[0]] : resolvedBy).map((attribute) =>
    expression.equals(attribute, ownMember(seen, attribute)),
  );
  return tryWrite(table, record, { text: clauses.join(" AND "), expression });
}

interface Condition {
  readonly text: string;
  readonly expression: Expression;
}

async function tryWrite(table: Table, record: VersionedRecord, condition: Condition): Promise<Attempt> {
  try {
    const write = record.shared?.isKept === true ? update : put;
    return { isDone: true, before: await write(table, record, condition) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { isDone: false, stored: error.Item ?? {} };
  }
}

async function put(
  { client, name }: Table,
  { item }: VersionedRecord,
  condition: Condition,
): Promise<Item | undefined> {
  const command = new PutItemCommand({
    TableName: name,
    Item: item,
    ...membersOf(condition),
    ReturnValues: "ALL_OLD",
  });
  return (await provenWrite((options) => client.send(command, options))).Attributes;
}

async function update(
  { client, name }: Table,
  { key, item }: VersionedRecord,
  condition: Condition,
): Promise<undefined> {
  const content = Object.entries(item).filter(([attribute]) => !key.includes(attribute));
  const sets = content.map(([attribute, value]) => condition.expression.equals(attribute, value));
  const command = new UpdateItemCommand({
    TableName: name,
    Key: keyOf(item, key),
    UpdateExpression: `SET ${sets.join(", ")}`,
    ...membersOf(condition),
  });
  await provenWrite((options) => client.send(command, options));
}

const membersOf = ({ text, expression }: Condition) =>
  ({
    ConditionExpression: text,
    ...expression.references,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...priced,
  }) as const;
