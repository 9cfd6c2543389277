import { createLocalClient, openStore, type Store } from "../infra/local/engine.ts";
import { LOCAL_STAGE } from "../infra/local/local-stage.ts";
import { StartError } from "../infra/local/start-error.ts";
import { createTables, TableMismatch } from "../infra/local/tables.ts";
import { physicalTableName } from "../lib/dynamo/tables.ts";
import { localTables } from "./local-tables.ts";
import { codeOf, OperatorError } from "./operator-error.ts";
import type { OperatorStore } from "./store.ts";
import { environmentBrand, type StoreOptions } from "./store-options.ts";

async function openEngine({ data, dynamodbEndpoint }: StoreOptions): Promise<Store> {
  try {
    return await openStore(data, {
      kind: "command",
      share: true,
      report: (line) => console.error(line),
      ...(dynamodbEndpoint === undefined ? {} : { endpoint: dynamodbEndpoint }),
    });
  } catch (error) {
    if (error instanceof StartError) throw new OperatorError(error.message, error);
    throw new OperatorError(`The data directory ${data} cannot be opened: ${codeOf(error)}.`, error);
  }
}

/**
 * Opens the store of a data directory: by the engine of the gateway that is running on it, else by one of its own.
 * Tables that are missing are created, so that records can be imported before the gateway's first start.
 */
export async function openLocalStore(options: StoreOptions): Promise<OperatorStore> {
  const brand = environmentBrand();
  const engine = await openEngine(options);
  const client = createLocalClient(engine.endpoint);
  const close = async () => {
    client.destroy();
    await engine.close();
  };
  try {
    // A running gateway has made its tables; making them beside it would let the two collide.
    if (engine.owned) await createTables(client, localTables());
  } catch (error) {
    await close();
    throw error instanceof TableMismatch ? new OperatorError(error.message, error) : error;
  }
  const tableName: OperatorStore["tableName"] = (table) => physicalTableName(LOCAL_STAGE, table);
  return { client, brand, close, tableName, name: storeName(options) };
}

/** How messages name the store that the options mean. */
export const storeName = ({ data, dynamodbEndpoint }: StoreOptions): string => dynamodbEndpoint ?? data;
