import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type WriteRequest, writeBatches } from "../../lib/dynamo/batch-write.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import { ownMember } from "../../lib/own-member.ts";
import type { TableDefinition } from "../store/tables.ts";

const BATCHES_AT_ONCE = 4;

/** The writes that make a table hold exactly some items. */
export interface Replacement {
  readonly table: string;
  readonly puts: readonly Item[];
  /** Keys of the items to delete. */
  readonly deletions: readonly Item[];
}

/**
 * Finds what has to be written so that a table holds exactly the wanted items: those that are missing or different, and
 * the others, which are deleted. Most items usually are as wanted, and are not written.
 */
export async function planReplacement(
  client: DynamoDBClient,
  { name, keySchema }: TableDefinition,
  wanted: readonly Item[],
): Promise<Replacement> {
  const keyOf = (item: Item): Item =>
    Object.fromEntries(
      keySchema.flatMap(({ AttributeName = "" }) => {
        const value = ownMember(item, AttributeName);
        return value === undefined ? [] : [[AttributeName, value]];
      }),
    );
  const nameOf = (item: Item): string => JSON.stringify(Object.values(keyOf(item)).map(spelled));
  const missing = new Map(wanted.map((item) => [nameOf(item), item]));
  const deletions: Item[] = [];
  for await (const item of scan({ client, name })) {
    const key = nameOf(item);
    const other = missing.get(key);
    if (other === undefined) deletions.push(keyOf(item));
    else if (isDeepStrictEqual(item, other)) missing.delete(key);
  }
  return { table: name, puts: [...missing.values()], deletions };
}

/** A key's value as a text; the parts of keys are texts and bytes. */
const spelled = ({ S, B }: Item[string]): string => S ?? Buffer.from(B ?? []).toString("base64");

/** Does the writes of a replacement, in no order. */
export async function replaceItems(
  client: DynamoDBClient,
  { table, puts, deletions }: Replacement,
): Promise<void> {
  const requests: WriteRequest[] = [
    ...deletions.map((Key) => ({ DeleteRequest: { Key } })),
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
  ];
  const share = Math.ceil(requests.length / BATCHES_AT_ONCE);
  const target = { table: { client, name: table }, pause };
  const shares = Array.from({ length: BATCHES_AT_ONCE }, (_, at) =>
    requests.slice(at * share, (at + 1) * share),
  );
  await Promise.all(shares.map((some) => writeBatches(target, some)));
}
