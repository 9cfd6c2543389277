import { QueryCommand, type QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../../lib/dynamo/client.ts";
import { Expression } from "../../lib/dynamo/expression.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { unproven } from "../../lib/dynamo/proven.ts";
import { scan } from "../../lib/dynamo/scan.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { ImportRegister } from "../import/journal/import-register.ts";
import { keyOf, readItems } from "../import/journal/read-items.ts";
import type { OperatorStore } from "../store/operator-store.ts";
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

async function* keysOfCredentials(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const kinds = placesOf[kind].credentials;
  if (kinds.length === 0) return;
  const expression = new Expression();
  const isOf = expression.equals("owner", { S: id });
  const filter = `${isOf} AND ${expression.name("kind")} IN (${expression.texts(kinds)})`;
  for await (const item of scan(table, { FilterExpression: filter, ...expression.references }))
    yield keyOf(item, keyNamesOf("Credentials"));
}

async function* keysOfLimits(table: Table, { kind, id }: Tenant): AsyncGenerator<Item> {
  const keys = placesOf[kind].limits.map((limit) => ({ k: { S: `${limit}#${id}` } }));
  if (keys.length === 0) return;
  const items = await readItems(table, keys, []);
  yield* keys.filter((_, at) => items[at] !== undefined);
}

/** The journals of a tenant's imports, each before its head. The ids of those that were seen are kept. */
async function* keysOfJournals(table: Table, { kind, id }: Tenant, seen: Set<string>): AsyncGenerator<Item> {
  // Journals of passes hold those of many, and are rewritten instead.
  if (kind === "pass") return;
  for await (const head of new ImportRegister(table).heads())
    if (head.kind === placesOf[kind].imports && head.owner === id) seen.add(head.id);
  for (const importId of seen) {
    yield* keysOfPartition(table, "Imports", importId);
    const key = { import_id: { S: "list" }, part: { S: importId } };
    if ((await readItems(table, [key], []))[0] !== undefined) yield key;
  }
}

/** Every place in the tables where a tenant has items of its own, in the order in which they are erased. */
export function placesIn({ table }: Pick<OperatorStore, "table">, tenant: Tenant): readonly Place[] {
  const { records } = placesOf[tenant.kind];
  const imports = new Set<string>();
  return [
    {
      name: "records",
      table: table(records),
      keys: () => keysOfPartition(table(records), records, tenant.id),
    },
    { name: "limits", table: table("RateLimits"), keys: () => keysOfLimits(table("RateLimits"), tenant) },
    {
      name: "journals",
      table: table("Imports"),
      keys: () => keysOfJournals(table("Imports"), tenant, imports),
    },
    // Last: until then, the credentials stand there revoked.
    {
      name: "credentials",
      table: table("Credentials"),
      keys: () => keysOfCredentials(table("Credentials"), tenant),
    },
  ];
}
