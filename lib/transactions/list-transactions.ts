import type * as z from "zod/mini";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { MakePlan } from "../http/plan.ts";
import { type Instant, microsKey, utcText } from "../instant.ts";
import type { listTransactions } from "./contract.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { type CreationSpan, listWindow } from "./list-window.ts";
import type { TransactionListStore } from "./transaction-list-store.ts";
import type { TransactionQuery } from "./transaction-page.ts";

/**
 * Plans `GET /transactions`: a bare array, newest first, and a `Link` to the next page while there is one (RFC 8288).
 * Ties in time are neither lost nor repeated between pages, because a page continues after a record and not after an
 * instant. A wrong window is a `validation_error`, and a cursor from no `Link` an `invalid_cursor`; both cost nothing.
 */
export function planListTransactions(
  transactions: Pick<TransactionListStore, "page">,
  clock: Clock,
): MakePlan<typeof listTransactions> {
  return async ({ query, principal, rawQuery }) => {
    const window = listWindow(query, clock);
    const search = searchOf(principal.owner, query, window);
    return {
      cost: 1,
      answer: async () => {
        const { docs, next } = await transactions.page(search);
        const body = `[${docs.join(",")}]`;
        return next === undefined ? { body } : { body, headers: linkTo(next, rawQuery, window.to) };
      },
    };
  };
}

/** The search of a request: the caller's own records in a window, by the filters, from the cursor on. */
function searchOf(
  businessId: string,
  query: z.infer<typeof listTransactions.query>,
  { from, to }: CreationSpan,
): TransactionQuery {
  return {
    businessId,
    count: query.count,
    toMicros: microsKey(to),
    ...(from !== undefined && { fromMicros: microsKey(from) }),
    ...(query.cursor !== undefined && { position: positionOf(query.cursor) }),
    ...(query.account !== undefined && { accounts: query.account }),
    ...(query.type !== undefined && { types: query.type }),
    ...(query.state !== undefined && { states: query.state }),
    ...(query.request_id !== undefined && { requestId: query.request_id }),
  };
}

function positionOf(cursor: string): string {
  const position = readCursor(cursor);
  if (position === undefined)
    throw new Failure(
      "invalid_cursor",
      "cursor: did not come from a Link of this list; use the Link unchanged.",
    );
  return position;
}

/** The caller's own parameters, with the end of the window pinned: "now" would be another instant on the next page. */
export function linkTo(position: string, rawQuery: string, to: Instant): { readonly Link: string } {
  const parameters = new URLSearchParams(rawQuery);
  if (!parameters.has("to")) parameters.set("to", utcText(to));
  parameters.set("cursor", writeCursor(position));
  return { Link: `<?${parameters.toString()}>; rel="next"` };
}
