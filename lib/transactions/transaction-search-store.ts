import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { Expression } from "../dynamo/expression.ts";
import { priced, unproven } from "../dynamo/proven.ts";
import { type Item, textOf } from "../dynamo/settle-version.ts";
import { tables } from "../dynamo/tables.ts";
import { idAt } from "./created-key.ts";
import {
  filterText,
  isWithin,
  type PositionRange,
  requestKey,
  type TransactionFilter,
} from "./transaction-filter.ts";
import type { Found, Match } from "./transaction-page.ts";

/** What one query of the store reads at most, by the store's own limit. */
const QUERY_BYTES_MAX = 1_048_576;
/** A read unit is this much strongly consistent reading, and twice as much of the other kind. */
const UNIT_BYTES = 4_096;
/** Records looked at in the first query with a filter; each further one looks at twice as many. */
const FILTERED_FIRST = 64;
/** Records that are read one by one, at the same time. */
const STRONG_READS_MAX = 25;

const [byCreated, byRequest] = tables.Transactions.indexes;

/** The attributes to ask for: the store refuses a query for one that its index does not project. */
const wantedFrom = (indexName: string | undefined): string[] =>
  indexName === byRequest.name ? ["created_key"] : ["doc", "created_key"];

/** A search for the transactions of one listing, query by query. Throws a `Failure` when the store does not answer. */
export class TransactionSearch {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #filter: TransactionFilter;
  #filteredLimit = FILTERED_FIRST;

  constructor(client: DynamoDBClient, tableName: string, filter: TransactionFilter) {
    this.#client = client;
    this.#tableName = tableName;
    this.#filter = filter;
  }

  /** Looks further into the range. `wanted` sizes the query; the result may hold more matches, or fewer. */
  next(range: PositionRange, wanted: number): Promise<Found> {
    return this.#filter.requestId === undefined
      ? this.#nextByCreated(range, wanted)
      : this.#nextByRequest(range, wanted);
  }

  #nextByCreated(range: PositionRange, wanted: number): Promise<Found> {
    const expression = new Expression();
    const isBusiness = expression.equals("business_id", { S: this.#filter.businessId });
    const filter = filterText(expression, this.#filter);
    return this.#query(expression, {
      IndexName: byCreated.name,
      KeyConditionExpression: `${isBusiness} AND ${isWithin(expression, range)}`,
      ...filter,
      Limit: filter === undefined ? wanted : this.#nextFilteredLimit(wanted),
      ExclusiveStartKey: this.#startKey(range.after),
    });
  }

  /** The index may lag and holds keys only: each record is then read as it is now, if it still stands where it did. */
  async #nextByRequest(range: PositionRange, wanted: number): Promise<Found> {
    const found = await this.positionsByRequest(range, Math.min(wanted, STRONG_READS_MAX));
    const reads = await Promise.all(found.matches.map(({ position }) => this.#read(position)));
    return {
      matches: reads.flatMap((read) => read.matches),
      stoppedAt: found.stoppedAt,
      bytesRead: reads.reduce((sum, read) => sum + read.bytesRead, found.bytesRead),
    };
  }

  /** The newest positions in the range under the request id, without their texts. */
  positionsByRequest(range: PositionRange, limit: number): Promise<Found<Pick<Match, "position">>> {
    const expression = new Expression();
    const isRequest = expression.equals("request_key", this.#requestKey);
    return this.#query(expression, {
      IndexName: byRequest.name,
      KeyConditionExpression: `${isRequest} AND ${isWithin(expression, range)}`,
      Limit: limit,
      ExclusiveStartKey: this.#startKey(range.after),
    });
  }

  #read(position: string): Promise<Found> {
    const expression = new Expression();
    const isBusiness = expression.equals("business_id", { S: this.#filter.businessId });
    const isThere = [
      expression.equals("created_key", { S: position }),
      expression.equals("request_key", this.#requestKey),
    ];
    return this.#query(expression, {
      KeyConditionExpression: `${isBusiness} AND ${expression.equals("id", { S: idAt(position) })}`,
      ...filterText(expression, this.#filter, isThere),
      ConsistentRead: true,
    });
  }

  async #query(expression: Expression, input: Omit<QueryCommandInput, "TableName">): Promise<Found> {
    const command = new QueryCommand({
      TableName: this.#tableName,
      ScanIndexForward: false,
      ProjectionExpression: expression.names(wantedFrom(input.IndexName)),
      ...priced,
      ...input,
      ...expression.references,
    });
    const result = await callStore((options) => this.#client.send(command, options));
    if (result.Items === undefined) throw unproven();
    const units = result.ConsumedCapacity?.CapacityUnits;
    const unitBytes = input.ConsistentRead === true ? UNIT_BYTES : 2 * UNIT_BYTES;
    return {
      matches: result.Items.map(matchOf),
      stoppedAt: result.LastEvaluatedKey?.created_key?.S,
      bytesRead: units === undefined ? QUERY_BYTES_MAX : units * unitBytes,
    };
  }

  get #requestKey(): AttributeValue | undefined {
    const { businessId, requestId } = this.#filter;
    return requestId === undefined ? undefined : { S: requestKey(businessId, requestId) };
  }

  #startKey(after: string | undefined): Record<string, AttributeValue> | undefined {
    if (after === undefined) return undefined;
    const key = {
      business_id: { S: this.#filter.businessId },
      id: { S: idAt(after) },
      created_key: { S: after },
    };
    const request_key = this.#requestKey;
    return request_key === undefined ? key : { ...key, request_key };
  }

  #nextFilteredLimit(wanted: number): number {
    const limit = Math.max(wanted, this.#filteredLimit);
    this.#filteredLimit = 2 * limit;
    return limit;
  }
}

const matchOf = (item: Item): Match => ({ doc: textOf(item, "doc"), position: textOf(item, "created_key") });
