import type { Channel } from "./channel.ts";
import { routes, type Transaction, type TransactionQuery, transactionShape } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { nextPage } from "./next-page.ts";
import { urlOf } from "./route.ts";

/** Options of any request. */
export interface CallOptions {
  /** Aborts the request, and the waits before it. */
  readonly signal?: AbortSignal | undefined;
}

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
  async transaction(id: string, { signal }: CallOptions = {}): Promise<Transaction> {
    const { value } = await this.#channel.send({
      endpoint: "get-transaction",
      url: urlOf(this.#channel.shared.baseUrl, routes["get-transaction"], { id }),
      cost: 1,
      shape: transactionShape,
      hasDecimals: true,
      signal,
    });
    return value as Transaction;
  }

  /**
   * Transactions, newest first. Pages are fetched as the loop goes on; `count` is the size of one.
   *
   * @example
   * for await (const transaction of client.business.transactions({ from: "2026-11-01", state: ["completed"] })) …
   */
  async *transactions(
    query: TransactionQuery = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<Transaction> {
    const channel = this.#channel;
    const first = urlOf(channel.shared.baseUrl, routes["list-transactions"]);
    for (const [name, given] of Object.entries(query)) addParameter(first, name, given);
    for (let url: URL | undefined = first; url !== undefined; ) {
      const { value, headers } = await channel.send({
        endpoint: "list-transactions",
        url,
        cost: 1,
        shape: [transactionShape],
        hasDecimals: true,
        signal,
      });
      yield* value as readonly Transaction[];
      url = followed(url, headers);
    }
  }
}

/** A parameter as the service reads it: a list is the parameter repeated, and an instant is ISO 8601. */
function addParameter({ searchParams }: URL, name: string, given: unknown): void {
  const values = Array.isArray(given) ? given : [given];
  for (const value of values) {
    if (value === undefined) continue;
    searchParams.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
}

function followed(url: URL, headers: Headers): URL | undefined {
  const next = nextPage(url, headers.get("Link"));
  if (next === undefined) return undefined;
  // A page of this list differs from the one before in its query alone. Credentials go nowhere else.
  const isOfList = next.origin === url.origin && next.pathname === url.pathname;
  if (isOfList && next.search !== url.search) return next;
  const message = `GET ${url.href}: the link to the next page leads away from the list, or nowhere.`;
  throw new CountinghouseError(message, { code: "unexpected_answer", url: url.href });
}
