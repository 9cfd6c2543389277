import type * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type Instant, microsKey } from "../instant.ts";
import type { listTransactions as contract } from "./contract.ts";
import { readCursor } from "./cursor.ts";
import { listWindow } from "./list-window.ts";
import type { TransactionQuery, TransactionStore } from "./transaction-store.ts";

export type TransactionListRequest = z.infer<typeof contract.query>;

/** What the store is asked for, and the end of the window that it covers. */
export interface ListSearch {
  readonly query: TransactionQuery;
  readonly to: Instant;
}

export interface TransactionList {
  /** The stored texts, newest first. */
  readonly docs: readonly string[];
  /** Where the next page goes on; absent when there is none. */
  readonly next?: string;
  /** The end of the window that was read, which the next page must keep. */
  readonly to: Instant;
}

/**
 * The search that a request asks for: its window, its filters, and where to go on.
 *
 * @throws {Failure} `validation_error` or `invalid_cursor`.
 */
export function listSearch(businessId: string, request: TransactionListRequest, clock: Clock): ListSearch {
  const { from, to } = listWindow(request, clock);
  const query = {
    businessId,
    count: request.count,
    toMicros: microsKey(to),
    ...(from && { fromMicros: microsKey(from) }),
    ...(request.cursor !== undefined && { position: positionOf(request.cursor) }),
    ...(request.account && { accounts: request.account }),
    ...(request.type && { types: request.type }),
    ...(request.state && { states: request.state }),
    ...(request.request_id !== undefined && { requestId: request.request_id }),
  };
  return { query, to };
}

/**
 * One page of a business's transactions, newest first. Ties in time are neither lost nor doubled between pages, because
 * a page goes on after a record and not after an instant.
 */
export async function listTransactions(
  store: Pick<TransactionStore, "page">,
  { query, to }: ListSearch,
): Promise<TransactionList> {
  return { ...(await store.page(query)), to };
}

function positionOf(cursor: string): string {
  const position = readCursor(cursor);
  if (position === undefined)
    throw new Failure("invalid_cursor", "cursor: is not one that a Link of this list gave.");
  return position;
}
