import { once } from "node:events";
import type { AddressInfo } from "node:net";
import dynalite from "dynalite";
import type { DescribedTable, TableShape, TableShapes } from "../../infra/local/store/table-shape.ts";
import { tableShapeOf } from "../../infra/local/store/table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreInput, StoreOperation } from "../../infra/local/store/wire.ts";

/** An engine that listens somewhere, as a handler of requests. */
export function handlerAt(endpoint: string): StoreHandler {
  return async ({ operation, input }) => {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDB_20120810.${operation}`,
        "x-amz-date": "20260101T000000Z",
        authorization:
          "AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
      },
      body: JSON.stringify(input),
    });
    return { status: response.status, body: (await response.json()) as StoreAnswer["body"] };
  };
}

/** A handler, and the end of what is behind it. */
export interface RunningStore {
  readonly store: StoreHandler;
  readonly close: () => Promise<void>;
}

/** Starts a store without a table. */
export async function startEmptyStore(): Promise<RunningStore> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { store: handlerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close };
}

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

/** Makes a table that can be used at once, and tells its shape. */
export async function makeTable(store: StoreHandler, input: StoreInput): Promise<TableShape> {
  await ask(store, "CreateTable", { BillingMode: "PAY_PER_REQUEST", ...input });
  // An engine may take a moment over a table even when told to take none.
  let table: DescribedTable & { readonly TableStatus: string };
  do table = (await ask(store, "DescribeTable", { TableName: input.TableName })).Table as typeof table;
  while (table.TableStatus !== "ACTIVE");
  return tableShapeOf(table);
}

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
