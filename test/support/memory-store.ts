import { keyOf, type WireItem, WRITES } from "../../local/store/behaviour/touched-items.ts";
import type { TableShape } from "../../local/store/table-shape.ts";
import type { StoreAnswer, StoreHandler, StoreInput, StoreRequest } from "../../local/store/wire.ts";

type Items = ReadonlyMap<string, WireItem>;

export interface MemoryStoreOptions {
  readonly shape: TableShape;
  /** Awaited before and after each request takes effect. */
  readonly pause?: () => Promise<void>;
  /** Called with each write as it takes effect, and with all items as they are then. */
  readonly onWrite?: (write: StoreInput, items: Items) => void;
  /** Whether the store leaves an item of a batch unprocessed. */
  readonly leavesOut?: () => boolean;
}

const idOf = (key: WireItem): string => JSON.stringify(key);

/**
 * A store of one table that only keeps items: it knows no expressions, and answers a query like a scan. A request takes
 * effect in one step, between its two pauses.
 */
export function memoryStore(options: MemoryStoreOptions): StoreHandler {
  const { shape, pause = async () => {}, onWrite = () => {}, leavesOut = () => false } = options;
  const items = new Map<string, WireItem>();

  const change = (key: WireItem, item?: WireItem): void => {
    if (item === undefined) items.delete(idOf(key));
    else items.set(idOf(key), item);
  };
  const put = (item: unknown): void => change(keyOf(shape, item) as WireItem, item as WireItem);

  const batchWrite = (requests: readonly Record<string, { Item?: WireItem; Key?: WireItem }>[]): object => {
    const undone = requests.filter(({ PutRequest, DeleteRequest }) => {
      if (leavesOut()) return true;
      if (PutRequest !== undefined) put(PutRequest.Item);
      else change(DeleteRequest?.Key as WireItem);
      return false;
    });
    return { UnprocessedItems: undone.length === 0 ? {} : { [shape.name]: undone } };
  };

  const list = ({ IndexName }: StoreInput): object => {
    const index = shape.indexes.find(({ name }) => name === IndexName);
    const found = [...items.values()].filter(
      (item) => index === undefined || keyOf(index, item) !== undefined,
    );
    return { Items: found, Count: found.length, ScannedCount: found.length };
  };

  const answer = ({ operation, input }: StoreRequest): object => {
    const part = (input.RequestItems as Record<string, never> | undefined)?.[shape.name];
    if (operation === "PutItem") put(input.Item);
    else if (operation === "DeleteItem") change(input.Key as WireItem);
    else if (operation === "DeleteTable") items.clear();
    else if (operation === "GetItem") return { Item: items.get(idOf(input.Key as WireItem)) };
    else if (operation === "BatchWriteItem") return batchWrite(part ?? []);
    else if (operation === "BatchGetItem")
      return {
        Responses: {
          [shape.name]: ((part ?? { Keys: [] }) as { Keys: WireItem[] }).Keys.flatMap(
            (key) => items.get(idOf(key)) ?? [],
          ),
        },
        UnprocessedKeys: {},
      };
    else if (operation === "DescribeTable") return { Table: { TableStatus: "ACTIVE" } };
    else if (operation === "Query" || operation === "Scan") return list(input);
    return {};
  };

  return async (request): Promise<StoreAnswer> => {
    await pause();
    const body = answer(request) as StoreAnswer["body"];
    if (WRITES.has(request.operation)) onWrite(request.input, items);
    await pause();
    return { status: 200, body };
  };
}
