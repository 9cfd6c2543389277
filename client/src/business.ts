import type { Channel } from "./channel.ts";
import {
  PAGE_TRANSACTIONS_MAX,
  routes,
  type Transaction,
  type TransactionQuery,
  transactionShape,
} from "./contract.ts";
import type { Follow } from "./follow.ts";
import type { Taken } from "./judge.ts";
import { nextPage } from "./next-page.ts";
import { type CallOptions, callRules } from "./options.ts";
import { queryOf } from "./query.ts";
import { urlOf } from "./route.ts";
import { holdTo } from "./rules.ts";
import { type FollowSinceOptions, TransactionFollow } from "./transaction-follow.ts";
import { type ThereOptions, thereRules, untilThere } from "./until-there.ts";

/** The reference says so: the id may be known before the record is. */
const MISSING_MS = 300_000;

/** The business interface: transactions of the business that the access token names. */
export class Business {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * One transaction.
   *
   * @throws {CountinghouseError} `not_found` for one that does not exist, or is another business's.
   */
  async transaction(id: string, options: CallOptions = {}): Promise<Transaction> {
    const { value } = await this.#channel.send({
      endpoint: "get-transaction",
      url: urlOf(this.#channel.shared.baseUrl, routes["get-transaction"], { id }),
      cost: 1,
      shape: transactionShape,
      hasDecimals: true,
      options,
    });
    return value as Transaction;
  }

  /**
   * One transaction that may not be there yet, as one whose id was just told elsewhere: it is looked for every five
   * seconds, for five minutes (`missingMs`).
   *
   * @throws {CountinghouseError} `not_found` when it is not there for `missingMs`.
   * @throws the reason of the signal, once it is aborted.
   */
  async waitForTransaction(id: string, options: ThereOptions = {}): Promise<Transaction> {
    holdTo(thereRules, options);
    const { everyMs, missingMs = MISSING_MS, signal, onWait } = options;
    const look = (): Promise<Transaction> => this.transaction(id, { signal, onWait });
    return await untilThere(this.#channel, look, { everyMs, missingMs, signal });
  }

  /**
   * Transactions, newest first. Pages are fetched as the loop goes on; `count` is the size of one.
   *
   * @example
   * for await (const transaction of client.business.transactions({ from: "2026-11-01", state: ["completed"] })) …
   * @throws {TypeError} for a filter that is empty or cannot be meant: without it, the list would have more than was asked for.
   */
  transactions(query: TransactionQuery = {}, options: CallOptions = {}): AsyncGenerator<Transaction> {
    holdTo(callRules, options);
    const first = urlOf(this.#channel.shared.baseUrl, routes["list-transactions"]);
    first.search = queryOf(query);
    return this.#list(first, options);
  }

  /**
   * Transactions as they change, new ones included, each version that is seen once: what is new or open is looked at every
   * five seconds (`everyMs`), everything once a minute, or more rarely where the list is long. It ends by `break`, by the
   * signal or by a failure, and its `resume` goes on after the last one that was given.
   *
   * @example
   * const changes = client.business.follow({ since: "2026-11-01T00:00:00Z" });
   * for await (const { id, state } of changes) …
   * @throws {TypeError} for options that cannot be meant.
   */
  follow(options: FollowSinceOptions = {}): Follow<Transaction> {
    const { signal, onWait } = options;
    const get = (id: string): Promise<Transaction> => this.transaction(id, { signal, onWait });
    const list = (query: TransactionQuery): AsyncGenerator<Transaction> =>
      this.transactions({ ...query, count: PAGE_TRANSACTIONS_MAX }, { signal, onWait });
    return new TransactionFollow({ list, get }, this.#channel.shared.platform, options);
  }

  async *#list(first: URL, options: CallOptions): AsyncGenerator<Transaction> {
    for (let url: URL | undefined = first; url !== undefined; ) {
      const answer: Taken = await this.#channel.send({
        endpoint: "list-transactions",
        url,
        cost: 1,
        shape: [transactionShape],
        hasDecimals: true,
        options,
      });
      for (const transaction of answer.value as readonly Transaction[]) {
        options.signal?.throwIfAborted();
        yield transaction;
      }
      url = followed(url, answer);
    }
  }
}

/** The next page. A list that ended where its link cannot be followed would look whole. */
function followed(url: URL, { headers, unexpected }: Taken): URL | undefined {
  let next: URL | undefined;
  try {
    next = nextPage(url, headers.get("Link"));
  } catch {
    throw unexpected("its Link cannot be read");
  }
  if (next === undefined) return undefined;
  // A page of this list differs from the one before in its query alone. Credentials go nowhere else.
  const isOfList = next.origin === url.origin && next.pathname === url.pathname;
  if (isOfList && next.search !== url.search) return next;
  throw unexpected("the link to the next page leads away from the list, or nowhere");
}
