import { notesOf } from "../../lib/auth/credential-notes.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import { type Item, keyOf } from "../../lib/dynamo/item.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { documentKinds } from "../../local/records/document-kinds.ts";
import {
  headKey,
  type ImportHead,
  ImportRegister,
  importIdOf,
  type JournalPart,
} from "../import/journal/import-register.ts";
import type { JournalEntry } from "../import/journal/journal-entry.ts";
import { readItems } from "../import/journal/read-items.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { queryAll } from "../store/query-all.ts";
import { placesOf, type Tenant } from "./tenant.ts";

/** A place with items of a tenant. */
export interface Place {
  /** Its name in reports. */
  readonly name: "records" | "credentials" | "limits" | "journals";
  readonly table: Table;
  /** The keys of the tenant's items there, as of every write that has been answered. */
  readonly keys: AsyncIterable<Item>;
}

/** Every place in the tables where a tenant has items of its own, in the order in which they are erased. */
export function placesIn({ table }: Pick<OperatorStore, "table">, tenant: Tenant): readonly Place[] {
  const records = documentKinds[placesOf[tenant.kind].documents].table;
  const [limits, imports, credentials] = [table("RateLimits"), table("Imports"), table("Credentials")];
  return [
    { name: "records", table: table(records), keys: keysOfPartition(table(records), records, tenant.id) },
    { name: "limits", table: limits, keys: keysOfLimits(limits, tenant) },
    { name: "journals", table: imports, keys: keysOfJournals(imports, tenant) },
    // Last: until then, the credentials stand there revoked.
    { name: "credentials", table: credentials, keys: keysOfCredentials(credentials, tenant) },
  ];
}

const keyNamesOf = (name: TableName): readonly string[] => {
  const { partition, sort }: TableSchema = tables[name];
  return [partition.name, ...(sort === undefined ? [] : [sort.name])];
};

/** The keys of a partition. Its value is compared as a whole, so an id that only begins with this one is not found. */
function keysOfPartition(table: Table, name: TableName, id: string): AsyncGenerator<Item> {
  const expression = new Expression();
  return queryAll(table, {
    KeyConditionExpression: expression.equals(tables[name].partition.name, { S: id }),
    ProjectionExpression: expression.names(keyNamesOf(name)),
    ...expression.references,
  });
}

async function* keysOfLimits(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const keys = placesOf[kind].limits.map((limit) => ({ k: { S: `${limit}#${id}` } }));
  if (keys.length === 0) return;
  const items = await readItems(table, keys, []);
  yield* keys.filter((_, at) => items[at] !== undefined);
}

/** The journals of a tenant's imports, each before its head; then items whose head is gone already. */
async function* keysOfJournals(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  // Journals of passes hold those of many, and are rewritten instead.
  if (kind === "pass") return;
  const { documents } = placesOf[kind];
  const known = new Set<string>();
  for await (const head of new ImportRegister(table).heads())
    if (head.kind === documents && head.owner === id) known.add(head.id);
  for (const importId of known) {
    yield* keysOfPartition(table, "Imports", importId);
    yield headKey(importId);
  }
  const expression = new Expression();
  const isOf = `${expression.equals("kind", { S: documents })} AND ${expression.equals("owner", { S: id })}`;
  const keys = expression.names(keyNamesOf("Imports"));
  const found = { FilterExpression: isOf, ProjectionExpression: keys, ...expression.references };
  for await (const key of scan(table, found)) if (!known.has(importIdOf(key))) yield key;
}

async function* keysOfCredentials(table: Table, tenant: Tenant): AsyncGenerator<Item> {
  for await (const item of credentialsOf(table, tenant))
    if (!isOperatorsBlock(item)) yield keyOf(item, keyNamesOf("Credentials"));
}

/** The rows of a tenant's credentials, blocks included. */
async function* credentialsOf(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const kinds = placesOf[kind].credentials;
  if (kinds.length === 0) return;
  const expression = new Expression();
  const isOf = expression.equals("owner", { S: id });
  const filter = `${isOf} AND ${expression.name("kind")} IN (${expression.texts(kinds)})`;
  yield* scan(table, { FilterExpression: filter, ...expression.references });
}

/** Marks the block that a business has while it is erased. The erasure removes it at the end. */
export const erasureBlock = { revokedReason: "It is being erased." } as const;

/**
 * Whether a row of credentials blocks a subject because an operator says so. Such a block outlives the subject's
 * erasure: a token cannot be revoked by itself, and would read what is stored under the same id later.
 */
function isOperatorsBlock(row: Item): boolean {
  const { createdBy, revokedReason } = notesOf(row);
  const isOfErasure = createdBy === undefined && revokedReason === erasureBlock.revokedReason;
  return row.kind?.S === "subject" && !isOfErasure;
}

/** Whether an operator has blocked a tenant's tokens. */
export async function isBlockedByOperator(table: Table, tenant: Tenant): Promise<boolean> {
  for await (const row of credentialsOf(table, tenant)) if (isOperatorsBlock(row)) return true;
  return false;
}

/** An item of a journal with entries of a pass, and the entries of other passes in it. */
interface SharedPart {
  readonly head: ImportHead;
  readonly part: JournalPart;
  readonly others: readonly JournalEntry[];
}

/** The items of journals that have entries of a pass. It reads the journals of all imports of passes. */
export async function* partsWithPass(
  register: ImportRegister,
  reference: string,
): AsyncGenerator<SharedPart> {
  for await (const head of register.heads()) {
    if (head.kind !== "passes") continue;
    for await (const part of register.parts(head.id)) {
      const others = part.entries.filter(({ key }) => key.partner_reference?.S !== reference);
      if (others.length < part.entries.length) yield { head, part, others };
    }
  }
}
