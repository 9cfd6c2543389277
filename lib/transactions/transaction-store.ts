import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { readItem } from "../dynamo/read-item.ts";
import { isId, isOwnerId, isRequestId } from "../id.ts";
import { idAt } from "./created-key.ts";
import { type PositionRange, requestKey } from "./transaction-filter.ts";
import { PageBuilder, type TransactionPage, type TransactionQuery } from "./transaction-page.ts";
import { TransactionSearch } from "./transaction-search-store.ts";

export type { TransactionPage, TransactionQuery } from "./transaction-page.ts";

/** Most bytes that one page reads in search of matches. */
const READ_BYTES_MAX = 8_000_000;

/** How many that an index names are read until one is as it says: only what has just changed is not. */
const NEWEST_TRIED_MAX = 5;

/** Sorts before and after every position. */
const FIRST = "0";
const LAST = "9";

/** Reads transactions of all businesses. What belongs to another business is as good as not there. */
export class TransactionStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /**
   * The text of a business's transaction, as of every write that has been answered; nothing when there is none. Throws
   * a `Failure` when the store does not answer.
   */
  async get(businessId: string, id: string): Promise<string | undefined> {
    if (!isOwnerId(businessId) || !isId(id)) return undefined;
    const question = { key: { business_id: businessId, id }, attribute: "doc" };
    const item = await readItem(this.#client, { tableName: this.#tableName, ...question });
    return item?.doc?.S;
  }

  /**
   * The text of the newest transaction that was created under a request id. It is found through an index, which lags a
   * write by about a second; the text itself is as `get` returns it, and one that has lost the request id since is
   * passed over.
   */
  async newestByRequestId(businessId: string, requestId: string): Promise<string | undefined> {
    if (!isOwnerId(businessId) || !isRequestId(requestId)) return undefined;
    const search = new TransactionSearch(this.#client, this.#tableName, { businessId, requestId });
    const range = { lower: FIRST, upper: LAST, after: undefined };
    const { matches } = await search.positionsByRequest(range, NEWEST_TRIED_MAX);
    for (const { position } of matches) {
      const key = { business_id: businessId, id: idAt(position) };
      const item = await readItem(this.#client, { tableName: this.#tableName, key });
      if (item?.request_key?.S === requestKey(businessId, requestId)) return item.doc?.S;
    }
    return undefined;
  }

  /**
   * One page of a business's transactions, newest creation first. A page ends at `count` texts, at 4 MB of text, or
   * when 8 MB were read in search of matches. The index behind it lags a write by about a second.
   */
  async page(query: TransactionQuery): Promise<TransactionPage> {
    const page = new PageBuilder(query.count);
    const range = rangeOf(query);
    if (range === undefined || !canMatch(query)) return page.end(undefined);
    const search = new TransactionSearch(this.#client, this.#tableName, query);
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
 * The positions that a page covers; undefined for an empty range, because DynamoDB rejects a BETWEEN whose lower bound is above
 * its upper one.
 */
function rangeOf({
  fromMicros = FIRST,
  toMicros = LAST,
  position,
}: TransactionQuery): PositionRange | undefined {
  if (fromMicros >= toMicros || (position !== undefined && position < fromMicros)) return undefined;
  const isInside = position !== undefined && position < toMicros;
  return { lower: fromMicros, upper: toMicros, after: isInside ? position : undefined };
}

/** Whether there can be a match at all: what is no id was never stored, and some of it no key can hold. */
const canMatch = ({ businessId, requestId, accounts = [] }: TransactionQuery): boolean =>
  isOwnerId(businessId) &&
  (requestId === undefined || isRequestId(requestId)) &&
  (accounts.length === 0 || accounts.some(isId));
