import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { isId, isOwnerId, isRequestId } from "../id.ts";
import { idAt } from "./created-key.ts";
import { requestKey, wholeRange } from "./transaction-filter.ts";
import { TransactionQueryStore } from "./transaction-query-store.ts";

/** How many that an index names are read until one is as it says: only what has just changed is not. */
const NEWEST_TRIED_MAX = 5;

/** Reads single transactions of all businesses. What belongs to another business is as good as not there. */
export class TransactionStore {
  readonly #table: Table;
  readonly #queries: TransactionQueryStore;

  constructor(table: Table) {
    this.#table = table;
    this.#queries = new TransactionQueryStore(table);
  }

  /**
   * The text of a business's transaction, as of every write that has been answered; nothing when there is none. Throws
   * a `Failure` when the store does not answer.
   */
  async get(businessId: string, id: string): Promise<string | undefined> {
    if (!isOwnerId(businessId) || !isId(id)) return undefined;
    const question = { key: { business_id: businessId, id }, attribute: "doc" };
    const item = await readItem(this.#table, question);
    return item?.doc?.S;
  }

  /**
   * The text of the newest transaction that was created under a request id. It is found through an index, which lags a
   * write by about a second; the text itself is as `get` returns it, and one that has lost the request id since is
   * passed over.
   */
  async getNewestByRequestId(businessId: string, requestId: string): Promise<string | undefined> {
    if (!isOwnerId(businessId) || !isRequestId(requestId)) return undefined;
    const subject = { businessId, requestId };
    const { matches } = await this.#queries.positionsByRequest(subject, wholeRange, NEWEST_TRIED_MAX);
    for (const { position } of matches) {
      const key = { business_id: businessId, id: idAt(position) };
      const item = await readItem(this.#table, { key });
      if (item?.request_key?.S === requestKey(businessId, requestId)) return item.doc?.S;
    }
    return undefined;
  }
}
