import { type AttributeValue, QueryCommand, type QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Expression } from "../dynamo/expression.ts";
import { type Item, textOf } from "../dynamo/item.ts";
import { priced, unproven } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";
import { tables } from "../dynamo/tables.ts";
import { idAt } from "./created-key.ts";
import { type PositionRange, requestKey, type TransactionFilter, withinRange } from "./transaction-filter.ts";
import type { Found, Match } from "./transaction-page.ts";

/** The most bytes that one query reads, by DynamoDB's own limit. */
const QUERY_BYTES_MAX = 1_048_576;
/**
 * The bytes that one read unit pays for in a strongly consistent read; in an eventually consistent one, twice as many.
 */
const UNIT_BYTES = 4_096;

const byRequest = tables.Transactions.indexes[1];

/** The attributes to ask for: DynamoDB rejects a query for an attribute that its index does not project. */
const wantedFrom = (indexName: string | undefined): string[] =>
  indexName === byRequest.name ? ["created_key"] : ["doc", "created_key"];

/** The business whose transactions are searched, and their request id, if any. */
type Subject = Pick<TransactionFilter, "businessId" | "requestId">;

/**
 * Queries the table of transactions and its indexes, newest first. Throws a `Failure` when the store does not answer.
 */
export class TransactionQueryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** One query, by a key and filters that the expression has named. Its consumed capacity tells how much it read. */
  async query(expression: Expression, input: Omit<QueryCommandInput, "TableName">): Promise<Found> {
    const command = new QueryCommand({
      TableName: this.#table.name,
      ScanIndexForward: false,
      ProjectionExpression: expression.names(wantedFrom(input.IndexName)),
      ...priced,
      ...input,
      ...expression.references,
    });
    const result = await callStore((options) => this.#table.client.send(command, options));
    if (result.Items === undefined) throw unproven();
    const units = result.ConsumedCapacity?.CapacityUnits;
    const unitBytes = input.ConsistentRead === true ? UNIT_BYTES : 2 * UNIT_BYTES;
    return {
      matches: result.Items.map(matchOf),
      stoppedAt: result.LastEvaluatedKey?.created_key?.S,
      bytesRead: units === undefined ? QUERY_BYTES_MAX : units * unitBytes,
    };
  }

  /** The newest positions in the range under the subject's request id, without their texts. */
  positionsByRequest(
    subject: Subject,
    range: PositionRange,
    limit: number,
  ): Promise<Found<Pick<Match, "position">>> {
    const expression = new Expression();
    const ofRequest = expression.equals("request_key", requestKeyOf(subject));
    return this.query(expression, {
      IndexName: byRequest.name,
      KeyConditionExpression: `${ofRequest} AND ${withinRange(expression, range)}`,
      Limit: limit,
      ExclusiveStartKey: startKeyAfter(range.after, subject),
    });
  }
}

/** The key of the index by request; undefined without a request id. */
export const requestKeyOf = ({ businessId, requestId }: Subject): AttributeValue | undefined =>
  requestId === undefined ? undefined : { S: requestKey(businessId, requestId) };

/** The start key of a query after a position: the keys of the table, and those of the index that the query reads. */
export function startKeyAfter(
  position: string | undefined,
  subject: Subject,
): Record<string, AttributeValue> | undefined {
  if (position === undefined) return undefined;
  const key = {
    business_id: { S: subject.businessId },
    id: { S: idAt(position) },
    created_key: { S: position },
  };
  const request_key = requestKeyOf(subject);
  return request_key === undefined ? key : { ...key, request_key };
}

const matchOf = (item: Item): Match => ({ doc: textOf(item, "doc"), position: textOf(item, "created_key") });
