import { QueryCommand, type QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../../lib/dynamo/client.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import { type Item, keyOf } from "../../lib/dynamo/item.ts";
import { unproven } from "../../lib/dynamo/proven.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { headKey, ImportRegister, importIdOf } from "../import/journal/import-register.ts";
import { readItems } from "../import/journal/read-items.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { credentialsOf, isOperatorsBlock } from "./blocks.ts";
import { placesOf, type Tenant } from "./tenant.ts";

/** A place with items of a tenant. */
export interface Place {
  /** Its name in reports. */
  readonly name: "records" | "credentials" | "limits" | "journals";
  readonly table: Table;
  /** The keys of the tenant's items there, as of every write that has been answered. */
  readonly keys: () => AsyncIterable<Item>;
}

const keyNamesOf = (name: TableName): readonly string[] => {
  const { partition, sort }: TableSchema = tables[name];
  return [partition.name, ...(sort === undefined ? [] : [sort.name])];
};

/** The keys of a partition. Its value is compared as a whole: no other id begins with it by chance. */
async function* keysOfPartition(table: Table, name: TableName, id: string): AsyncGenerator<Item> {
  const keyNames = keyNamesOf(name);
  let last: QueryCommandInput["ExclusiveStartKey"];
  do {
    const expression = new Expression();
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: expression.equals(tables[name].partition.name, { S: id }),
      ProjectionExpression: expression.names(keyNames),
      ...expression.references,
      ConsistentRead: true,
      ExclusiveStartKey: last,
    });
    const { Items, LastEvaluatedKey } = await callStore(() => table.client.send(query));
    if (Items === undefined) throw unproven();
    yield* Items;
    last = LastEvaluatedKey;
  } while (last !== undefined);
}

async function* keysOfCredentials(table: Table, tenant: Tenant): AsyncGenerator<Item> {
  for await (const item of credentialsOf(table, tenant))
    if (!isOperatorsBlock(item)) yield keyOf(item, keyNamesOf("Credentials"));
}

async function* keysOfLimits(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const keys = placesOf[kind].limits.map((limit) => ({ k: { S: `${limit}#${id}` } }));
  if (keys.length === 0) return;
  const items = await readItems(table, keys, []);
  yield* keys.filter((_, at) => items[at] !== undefined);
}

/** The journals of a tenant's imports, each before its head; and what came to a journal whose head had gone. */
async function* keysOfJournals(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  // Journals of passes hold those of many, and are rewritten instead.
  if (kind === "pass") return;
  const { imports } = placesOf[kind];
  const known = new Set<string>();
  for await (const head of new ImportRegister(table).heads())
    if (head.kind === imports && head.owner === id) known.add(head.id);
  for (const importId of known) {
    yield* keysOfPartition(table, "Imports", importId);
    yield headKey(importId);
  }
  const expression = new Expression();
  const isOf = `${expression.equals("kind", { S: imports })} AND ${expression.equals("owner", { S: id })}`;
  const keys = expression.names(keyNamesOf("Imports"));
  const found = { FilterExpression: isOf, ProjectionExpression: keys, ...expression.references };
  for await (const key of scan(table, found)) if (!known.has(importIdOf(key))) yield key;
}

/** Every place in the tables where a tenant has items of its own, in the order in which they are erased. */
export function placesIn({ table }: Pick<OperatorStore, "table">, tenant: Tenant): readonly Place[] {
  const { records } = placesOf[tenant.kind];
  return [
    {
      name: "records",
      table: table(records),
      keys: () => keysOfPartition(table(records), records, tenant.id),
    },
    { name: "limits", table: table("RateLimits"), keys: () => keysOfLimits(table("RateLimits"), tenant) },
    { name: "journals", table: table("Imports"), keys: () => keysOfJournals(table("Imports"), tenant) },
    // Last: until then, the credentials stand there revoked.
    {
      name: "credentials",
      table: table("Credentials"),
      keys: () => keysOfCredentials(table("Credentials"), tenant),
    },
  ];
}
