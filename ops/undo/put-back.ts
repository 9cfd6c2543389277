import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { Expression } from "../../lib/dynamo/expression.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { priced, provenWrite } from "../../lib/dynamo/proven.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { ownMember } from "../../lib/own-member.ts";

/** Attributes that only some items have; one that an item lacks must still be lacking. */
const SOMETIMES = ["corrections", "gone_at", "request_key", "spelled", "template_id"];

/** Holds while an item is stored as it was seen. */
function stillAs(key: Item, seen: Item): { readonly condition: string; readonly expression: Expression } {
  const expression = new Expression();
  const names = new Set([...Object.keys(seen), ...SOMETIMES].filter((name) => !Object.hasOwn(key, name)));
  const clauses = [...names].map((name) => expression.equals(name, ownMember(seen, name)));
  return { condition: clauses.join(" AND "), expression };
}

/** A stored item, and what is to stand in its place: an earlier one, or none. */
export interface PutBack {
  readonly key: Item;
  readonly seen: Item;
  readonly before: Item | undefined;
}

/** Puts an earlier item in place of one, or removes it, if it is still stored as it was seen. @returns whether it was. */
export async function putBack({ client, name }: Table, { key, seen, before }: PutBack): Promise<boolean> {
  const { condition, expression } = stillAs(key, seen);
  const guarded = {
    TableName: name,
    ConditionExpression: condition,
    ...expression.references,
    ...priced,
  };
  try {
    await provenWrite(() =>
      before === undefined
        ? client.send(new DeleteItemCommand({ ...guarded, Key: key }))
        : client.send(new PutItemCommand({ ...guarded, Item: before })),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
