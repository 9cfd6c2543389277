import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { isId, isRequestId, isStoredOwner } from "../id.ts";
import { idAt } from "./created-key.ts";
import { requestKey, wholeRange } from "./transaction-filter.ts";
import { TransactionQueryStore } from "./transaction-query-store.ts";

/** The most records that are tried: the index is wrong only about records that have just changed. */
const NEWEST_TRIED_MAX = 5;

/** Reads single transactions of all businesses. For a business, a transaction of another one does not exist. */
export class TransactionStore {
  readonly #table: Table;
  readonly #queries: TransactionQueryStore;

  constructor(table: Table) {
    this.#table = table;
    this.#queries = new TransactionQueryStore(table);
  }

  /**
   * The text of a business's transaction, as of every write that has been answered; undefined when there is none.
   *
   * @throws {Failure} when the store does not answer.
   */
  async get(businessId: string, id: string): Promise<string | undefined> {
    if (!isStoredOwner(businessId) || !isId(id)) return undefined;
    const question = { key: { business_id: businessId, id }, attribute: "doc" };
    const item = await readItem(this.#table, question);
    return item?.doc?.S;
  }

  /**
   * The text of the newest transaction that was created under a request id. It is found through an index, which lags
   * behind a write by about a second. The text itself is as current as that of `get`, and a transaction that has lost
   * the request id since is passed over.
   */
  async getNewestByRequestId(businessId: string, requestId: string): Promise<string | undefined> {
    if (!isStoredOwner(businessId) || !isRequestId(requestId)) return undefined;
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
