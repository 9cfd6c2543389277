import { LOCAL_ACCOUNT, LOCAL_REGION } from "../../local-account.ts";
import { refusalAnswer, type StoreAnswer } from "../wire.ts";
import type { UnitKind } from "./partitions.ts";

/** A read or a write of a position in a table, or in one of its indexes. */
export interface Use {
  readonly kind: UnitKind;
  readonly tableName: string;
  readonly indexName?: string | undefined;
  readonly position: string;
  /** What it consumes at least. It takes that when it is admitted: others must not be admitted for the same units. */
  readonly leastUnits: number;
}

/** What DynamoDB says of a table, and of an index that a write of its table has to reach, where both are on demand. */
const TABLE_MESSAGE =
  "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or " +
  "index so please try again shortly. If exceptions persist, check if you have a hot key: " +
  "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const INDEX_MESSAGE =
  "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling " +
  "your index so please try again shortly.";

/**
 * The answer to a request whose partitions have no units left.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html for the messages
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
 */
export function throttled(uses: readonly Use[]): StoreAnswer {
  const reasons = new Map(uses.map((use) => [arnOf(use), reasonOf(use)]));
  const isIndexWrite = uses.every(({ kind, indexName }) => kind === "Write" && indexName !== undefined);
  return refusalAnswer({
    code: "ThrottlingException",
    message: isIndexWrite ? INDEX_MESSAGE : TABLE_MESSAGE,
    // In the two other exceptions of this kind the member's name begins with a capital letter.
    members: { throttlingReasons: [...reasons].map(([resource, reason]) => ({ reason, resource })) },
  });
}

const reasonOf = ({ kind, indexName }: Use): string =>
  `${indexName === undefined ? "Table" : "Index"}${kind}KeyRangeThroughputExceeded`;

const arnOf = ({ tableName, indexName }: Use): string =>
  `arn:aws:dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${tableName}${indexName === undefined ? "" : `/index/${indexName}`}`;
