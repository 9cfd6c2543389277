import { Expression } from "../dynamo/expression.ts";
import { tables } from "../dynamo/tables.ts";
import { idAt } from "./created-key.ts";
import { filterText, type PositionRange, type TransactionFilter, withinRange } from "./transaction-filter.ts";
import type { Found } from "./transaction-page.ts";
import { requestKeyOf, startKeyAfter, type TransactionQueryStore } from "./transaction-query-store.ts";

/** Records that the first query with a filter examines. Each further query examines twice as many. */
const FILTERED_FIRST = 64;
/** The most records that are read one by one at the same time. */
const STRONG_READS_MAX = 25;

const byCreated = tables.Transactions.indexes[0];

/** A search for the transactions of one listing, query by query. Throws a `Failure` when the store does not answer. */
export class TransactionSearch {
  readonly #queries: TransactionQueryStore;
  readonly #filter: TransactionFilter;
  #filteredLimit = FILTERED_FIRST;

  constructor(queries: TransactionQueryStore, filter: TransactionFilter) {
    this.#queries = queries;
    this.#filter = filter;
  }

  /** Searches further into the range. `wanted` sizes the query, which may find more matches, or fewer. */
  next(range: PositionRange, wanted: number): Promise<Found> {
    return this.#filter.requestId === undefined
      ? this.#nextByCreated(range, wanted)
      : this.#nextByRequest(range, wanted);
  }

  #nextByCreated(range: PositionRange, wanted: number): Promise<Found> {
    const expression = new Expression();
    const ofBusiness = expression.equals("business_id", { S: this.#filter.businessId });
    const filter = filterText(expression, this.#filter);
    return this.#queries.query(expression, {
      IndexName: byCreated.name,
      KeyConditionExpression: `${ofBusiness} AND ${withinRange(expression, range)}`,
      ...filter,
      Limit: filter === undefined ? wanted : this.#nextFilteredLimit(wanted),
      ExclusiveStartKey: startKeyAfter(range.after, this.#filter),
    });
  }

  /** The index may lag and holds only keys: each record is read by its key, and counts if it still fits the index. */
  async #nextByRequest(range: PositionRange, wanted: number): Promise<Found> {
    const found = await this.#queries.positionsByRequest(
      this.#filter,
      range,
      Math.min(wanted, STRONG_READS_MAX),
    );
    const reads = await Promise.all(found.matches.map(({ position }) => this.#get(position)));
    return {
      matches: reads.flatMap((read) => read.matches),
      stoppedAt: found.stoppedAt,
      bytesRead: reads.reduce((sum, read) => sum + read.bytesRead, found.bytesRead),
    };
  }

  #get(position: string): Promise<Found> {
    const expression = new Expression();
    const ofBusiness = expression.equals("business_id", { S: this.#filter.businessId });
    const unmoved = [
      expression.equals("created_key", { S: position }),
      expression.equals("request_key", requestKeyOf(this.#filter)),
    ];
    return this.#queries.query(expression, {
      KeyConditionExpression: `${ofBusiness} AND ${expression.equals("id", { S: idAt(position) })}`,
      ...filterText(expression, this.#filter, unmoved),
      ConsistentRead: true,
    });
  }

  #nextFilteredLimit(wanted: number): number {
    const limit = Math.max(wanted, this.#filteredLimit);
    this.#filteredLimit = 2 * limit;
    return limit;
  }
}
