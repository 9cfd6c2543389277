import type { Clock } from "../../../lib/clock.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../local-account.ts";
import { refusalAnswer, type StoreAnswer } from "../wire.ts";
import { DOCUMENTED_CAPACITY, type PartitionCapacity, Partitions, type UnitKind } from "./partitions.ts";

/** The units that a request consumes by one use. */
export interface Charge {
  readonly use: Use;
  readonly units: number;
}

/** The capacity of a store's tables and indexes. */
export class Throughput {
  readonly #clock: Clock;
  readonly #capacity: PartitionCapacity;
  readonly #partitions = new Map<string, Partitions>();

  /** @param capacity A missing member has its documented value. */
  constructor(clock: Clock, capacity: Partial<PartitionCapacity> = {}) {
    this.#clock = clock;
    this.#capacity = { ...DOCUMENTED_CAPACITY, ...capacity };
  }

  /** Admits a request if all its uses have units left. Returns the uses without units left, for which it is refused. */
  admit(uses: readonly Use[]): readonly Use[] {
    const refused = uses.filter((use) => !this.#of(use).admits(use.kind, use.position));
    if (refused.length === 0) for (const use of uses) this.charge({ use, units: use.leastUnits });
    return refused;
  }

  /** Gives back the `leastUnits` that a request took on admission. The consumed units are charged separately. */
  release(uses: readonly Use[]): void {
    for (const use of uses) this.charge({ use, units: -use.leastUnits });
  }

  charge({ use, units }: Charge): void {
    this.#of(use).charge(use.kind, use.position, units);
  }

  /** Forgets a deleted table. */
  forget(tableName: string): void {
    for (const id of this.#partitions.keys()) if (id.startsWith(`${tableName}/`)) this.#partitions.delete(id);
  }

  #of({ tableName, indexName = "" }: Use): Partitions {
    const id = `${tableName}/${indexName}`;
    const partitions = this.#partitions.get(id) ?? new Partitions(this.#capacity, this.#clock);
    this.#partitions.set(id, partitions);
    return partitions;
  }
}

/** A read or a write of a position in a table, or in one of its indexes. */
export interface Use {
  readonly kind: UnitKind;
  readonly tableName: string;
  readonly indexName?: string | undefined;
  readonly position: string;
  /** The least units that the use consumes. They are taken on admission, so that no other request gets them. */
  readonly leastUnits: number;
}

/** DynamoDB's messages for an on-demand table, and for an index that a write of an on-demand table must reach. */
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
    // In DynamoDB's two other exceptions for throttling, this member's name begins with a capital letter.
    members: { throttlingReasons: [...reasons].map(([resource, reason]) => ({ reason, resource })) },
  });
}

const reasonOf = ({ kind, indexName }: Use): string =>
  `${indexName === undefined ? "Table" : "Index"}${kind}KeyRangeThroughputExceeded`;

const arnOf = ({ tableName, indexName }: Use): string =>
  `arn:aws:dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${tableName}${indexName === undefined ? "" : `/index/${indexName}`}`;
