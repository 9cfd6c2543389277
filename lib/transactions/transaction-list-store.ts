import type { Table } from "../dynamo/table.ts";
import { isId, isRequestId, isStoredOwner } from "../id.ts";
import { PageBuilder } from "./page-builder.ts";
import { type PositionRange, wholeRange } from "./transaction-filter.ts";
import type { TransactionPage, TransactionQuery } from "./transaction-page.ts";
import { TransactionQueryStore } from "./transaction-query-store.ts";
import { TransactionSearch } from "./transaction-search.ts";

/** The most bytes that one page reads in search of matches. */
const READ_BYTES_MAX = 8_000_000;

/** Lists transactions of all businesses. For a business, a transaction of another one does not exist. */
export class TransactionListStore {
  readonly #queries: TransactionQueryStore;

  constructor(table: Table) {
    this.#queries = new TransactionQueryStore(table);
  }

  /**
   * One page of a business's transactions, newest creation first. A page ends at `count` texts, at 4 MB of text, or
   * when 8 MB were read in search of matches. The index that it reads lags behind a write by about a second.
   */
  async page(query: TransactionQuery): Promise<TransactionPage> {
    const page = new PageBuilder(query.count);
    const range = rangeOf(query);
    if (range === undefined || !canMatch(query)) return page.end(undefined);
    const search = new TransactionSearch(this.#queries, query);
    let { after } = range;
    let bytesRead = 0;
    do {
      const found = await search.next({ ...range, after }, page.remaining + 1);
      if (!found.matches.every((match) => page.add(match))) return page.full();
      after = found.stoppedAt;
      bytesRead += found.bytesRead;
    } while (after !== undefined && bytesRead < READ_BYTES_MAX);
    return page.end(after);
  }
}

/**
 * The positions that a page covers; undefined for an empty range, because DynamoDB rejects a `BETWEEN` whose lower bound
 * is above its upper one.
 */
function rangeOf({
  fromMicros = wholeRange.lower,
  toMicros = wholeRange.upper,
  position,
}: TransactionQuery): PositionRange | undefined {
  if (fromMicros >= toMicros || (position !== undefined && position < fromMicros)) return undefined;
  const isInside = position !== undefined && position < toMicros;
  return { lower: fromMicros, upper: toMicros, after: isInside ? position : undefined };
}

/** Whether anything can match: a text that is not an id was never stored, and some texts do not fit a key. */
const canMatch = ({ businessId, requestId, accounts = [] }: TransactionQuery): boolean =>
  isStoredOwner(businessId) &&
  (requestId === undefined || isRequestId(requestId)) &&
  (accounts.length === 0 || accounts.some(isId));
