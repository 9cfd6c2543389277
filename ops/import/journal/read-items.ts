import { setTimeout as pause } from "node:timers/promises";
import { BatchGetItemCommand, type BatchGetItemCommandOutput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../../../lib/dynamo/client.ts";
import { Expression } from "../../../lib/dynamo/expression.ts";
import { type Item, keyOf } from "../../../lib/dynamo/item.ts";
import { priced, unproven } from "../../../lib/dynamo/proven.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import { unavailable } from "../../../lib/errors.ts";
import { ownMember } from "../../../lib/own-member.ts";

/** The most items that DynamoDB reads in one batch. */
export const ITEMS_READ_MAX = 100;
const ATTEMPTS_MAX = 8;
const FIRST_PAUSE_MS = 50;

/** A key as one text, equal for equal keys. */
export const keyTextOf = (key: Item): string =>
  JSON.stringify(
    Object.entries(key)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => attributeText(name, value)),
  );

const attributeText = (name: string, value: Item[string]): readonly string[] =>
  value.B === undefined ? [name, value.S ?? ""] : [name, Buffer.from(value.B).toString("base64")];

/**
 * The items of some keys, by strongly consistent reads, in the order of the keys; undefined for an item that is not
 * there. Equal keys are read once.
 *
 * @param attributes the attributes to return beside the key; all unless given.
 * @throws {Failure} `temporarily_unavailable` when the store does not answer, throttles for seconds, or proves nothing.
 */
export async function readItems(
  { client, name }: Table,
  keys: readonly Item[],
  attributes?: readonly string[],
): Promise<(Item | undefined)[]> {
  const distinct = [...new Map(keys.map((key) => [keyTextOf(key), key])).values()];
  const found = new Map<string, Item>();
  const keyNames = Object.keys(keys[0] ?? {});
  const expression = new Expression();
  const projection = attributes && {
    ProjectionExpression: expression.names([...keyNames, ...attributes]),
    ...expression.references,
  };
  for (let at = 0; at < distinct.length; at += ITEMS_READ_MAX) {
    let Keys = distinct.slice(at, at + ITEMS_READ_MAX);
    for (let attempt = 1; Keys.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS_MAX) throw unavailable("The store left reads undone.");
      if (attempt > 1) await pause(FIRST_PAUSE_MS * 2 ** (attempt - 2));
      const RequestItems = { [name]: { Keys, ConsistentRead: true, ...projection } };
      const answer = await callStore(() => client.send(new BatchGetItemCommand({ RequestItems, ...priced })));
      for (const item of itemsIn(answer, name)) found.set(keyTextOf(keyOf(item, keyNames)), item);
      Keys = [...(ownMember(answer.UnprocessedKeys, name)?.Keys ?? [])];
    }
  }
  return keys.map((key) => found.get(keyTextOf(key)));
}

function itemsIn({ Responses, ConsumedCapacity }: BatchGetItemCommandOutput, name: string): readonly Item[] {
  if (Responses === undefined || (ConsumedCapacity ?? []).length === 0) throw unproven();
  return ownMember(Responses, name) ?? [];
}
