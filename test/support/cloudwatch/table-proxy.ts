import { type StoreCall, startStoreProxy } from "../store-proxy.ts";

/** What a table answers in place of the store: DynamoDB's own error, or a throttle. */
export type TableFault = "InternalServerError" | "ThrottlingException";

const STATUS: Readonly<Record<TableFault, number>> = { InternalServerError: 500, ThrottlingException: 400 };

/** A proxy in front of a DynamoDB engine, in which single tables fail on demand. */
export interface TableProxy {
  readonly endpoint: string;
  /** The fault of each table that has one, by the table's name. */
  readonly faults: Map<string, TableFault>;
  /** The requests that met the fault of their table. */
  readonly refused: readonly StoreCall[];
  close(): Promise<void>;
}

/** Starts a proxy in which no table fails yet. */
export async function startTableProxy(engineEndpoint: string): Promise<TableProxy> {
  const faults = new Map<string, TableFault>();
  const refused: StoreCall[] = [];
  const proxy = await startStoreProxy(engineEndpoint, (call) => {
    const fault = faults.get(call.table);
    if (fault === undefined) return undefined;
    refused.push(call);
    return { status: STATUS[fault], type: `com.amazonaws.dynamodb.v20120810#${fault}` };
  });
  return { endpoint: proxy.endpoint, faults, refused, close: () => proxy[Symbol.asyncDispose]() };
}
