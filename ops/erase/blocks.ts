import { notesOf } from "../../lib/auth/credential-notes.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { placesOf, type Tenant } from "./tenant.ts";

/** Marks the block of a business for the time of its erasure, which ends with it. */
export const erasureBlock = { revokedReason: "It is being erased." } as const;

/**
 * Whether a row of credentials blocks a subject because an operator says so. Such a block outlives the subject's
 * erasure: a token cannot be revoked by itself, and would read what is stored under the same id later.
 */
export const isOperatorsBlock = (row: Item): boolean => {
  const { createdBy, revokedReason } = notesOf(row);
  const isErasures = createdBy === undefined && revokedReason === erasureBlock.revokedReason;
  return row.kind?.S === "subject" && !isErasures;
};

/** The rows of a tenant's credentials, blocks included. */
export async function* credentialsOf(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const kinds = placesOf[kind].credentials;
  if (kinds.length === 0) return;
  const expression = new Expression();
  const isOf = expression.equals("owner", { S: id });
  const filter = `${isOf} AND ${expression.name("kind")} IN (${expression.texts(kinds)})`;
  yield* scan(table, { FilterExpression: filter, ...expression.references });
}

/** Whether an operator has blocked a tenant's tokens. */
export async function isBlockedByOperator(table: Table, tenant: Tenant): Promise<boolean> {
  for await (const row of credentialsOf(table, tenant)) if (isOperatorsBlock(row)) return true;
  return false;
}
