import type { DescribedTable, TableShape, TableShapes } from "../../local/store/table-shape.ts";
import { tableShapeOf } from "../../local/store/table-shape.ts";
import type { StoreHandler, StoreInput, StoreOperation } from "../../local/store/wire.ts";

/** One request, and the members of its answer; a refusal is thrown. */
export async function ask(
  store: StoreHandler,
  operation: StoreOperation,
  input: StoreInput,
): Promise<Record<string, unknown>> {
  const { status, body } = await store({ operation, input });
  if (status !== 200) throw new Error(`${operation} is refused: ${JSON.stringify(body)}`);
  return body;
}

/** Creates a table that can be used at once, and resolves with its shape. */
export async function makeTable(store: StoreHandler, input: StoreInput): Promise<TableShape> {
  await ask(store, "CreateTable", { BillingMode: "PAY_PER_REQUEST", ...input });
  // An engine may take a moment to create a table, even when it is configured to take none.
  let table: DescribedTable & { readonly TableStatus: string };
  do table = (await ask(store, "DescribeTable", { TableName: input.TableName })).Table as typeof table;
  while (table.TableStatus !== "ACTIVE");
  return tableShapeOf(table);
}

const textKey = (name: string) => ({ name, type: "S" }) as const;

/** The shape of a table with a text for its partition key, and an index of everything for each text that is named. */
export const plainShape = (
  name: string,
  key: string,
  indexes: Readonly<Record<string, string>> = {},
): TableShape => ({
  name,
  partition: textKey(key),
  sort: undefined,
  indexes: Object.entries(indexes).map(([index, attribute]) => ({
    name: index,
    partition: textKey(attribute),
    sort: undefined,
    projects: "all",
    projectionType: "ALL",
  })),
});

/** The shapes of some tables. */
export const shapesOf =
  (...shapes: readonly TableShape[]): TableShapes =>
  (name) =>
    shapes.find((shape) => shape.name === name);

/** The definition of a table with a partition key and a sort key, both of them texts. */
export const sortedTable = (name: string): StoreInput => ({
  TableName: name,
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
});
