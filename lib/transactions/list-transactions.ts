import type * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { type Instant, microsKey } from "../instant.ts";
import type { listTransactions as contract } from "./contract.ts";
import { readCursor } from "./cursor.ts";
import { listWindow } from "./list-window.ts";
import type { TransactionReader } from "./transaction-reader-store.ts";

export type TransactionListRequest = z.infer<typeof contract.query>;

export interface TransactionList {
  /** The stored texts, newest first. */
  readonly docs: readonly string[];
  /** Where the next page goes on; absent when there is none. */
  readonly next?: string;
  /** The end of the window that was read, which the next page must keep. */
  readonly to: Instant;
}

/**
 * One page of a business's transactions, newest first. Ties in time are neither lost nor doubled between pages, because
 * a page goes on after a record and not after an instant.
 *
 * @throws {Failure} `validation_error` or `invalid_cursor`.
 */
export async function listTransactions(
  store: Pick<TransactionReader, "page">,
  businessId: string,
  request: TransactionListRequest,
  clock: Clock,
): Promise<TransactionList> {
  const { from, to } = listWindow(request, clock);
  const page = await store.page({
    businessId,
    count: request.count,
    toMicros: microsKey(to),
    ...(from && { fromMicros: microsKey(from) }),
    ...(request.cursor !== undefined && { position: positionOf(request.cursor) }),
    ...(request.account && { accounts: request.account }),
    ...(request.type && { types: request.type }),
    ...(request.state && { states: request.state }),
    ...(request.request_id !== undefined && { requestId: request.request_id }),
  });
  return { ...page, to };
}

function positionOf(cursor: string): string {
  const position = readCursor(cursor);
  if (position === undefined)
    throw new Failure("invalid_cursor", "cursor: is not one that a Link of this list gave.");
  return position;
}
