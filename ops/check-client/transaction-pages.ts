import { Failure } from "../../lib/errors.ts";
import { createdKey, idAt } from "../../lib/transactions/created-key.ts";
import { readCursor } from "../../lib/transactions/cursor.ts";
import type { TransactionPage, TransactionQuery } from "../../lib/transactions/transaction-page.ts";
import type { Listings, Span } from "./listings.ts";
import type { Step } from "./play.ts";
import { transactionOf } from "./sample-records.ts";
import type { Given, Question } from "./scripted-endpoint.ts";

/** The length of a window whose beginning is left open. */
const OPEN_MS = 60_000;

/** What a request for the list asks for. @throws {Failure} for a cursor that no link gave. */
export function transactionsQuestion(
  { cursor }: { readonly cursor?: string | undefined },
  rawQuery: string,
): Question {
  if (cursor === undefined) return { subject: rawQuery };
  const [, act, station] = /^page-(\d+)-(\d+)$/.exec(idAt(readCursor(cursor) ?? "")) ?? [];
  if (act === undefined || station === undefined)
    throw new Failure(
      "invalid_cursor",
      "cursor: did not come from a Link of this list; use the Link unchanged.",
    );
  return { subject: rawQuery, cursor: { act: Number(act), station: Number(station) } };
}

/** The page of a step. */
export function pageOfTransactions(
  step: Step,
  search: TransactionQuery,
  listings: Listings,
  given: Given,
): TransactionPage {
  const { fromMicros: _from, toMicros: _to, count, position: _position, ...filters } = search;
  const span = spanOf(search);
  const asked = { subject: JSON.stringify(filters), span, limit: count };
  const records = listings.page(step, asked, (place, instant) =>
    transactionOf(step, {
      id: `tx-${step.act}-${place}`,
      createdAt: new Date(instant).toISOString(),
      type: search.types?.[0] ?? "transfer",
      state: search.states?.[0] ?? "completed",
    }),
  );
  given.records = records;
  const docs = records.map(({ text }) => text);
  if (step.isLast) return { docs };
  const micros = String(span.last * 1_000).padStart(18, "0");
  return { docs, next: createdKey(micros, `page-${step.act}-${step.station + 1}`) };
}

/** The window in whole milliseconds: `from` is included, and `to` is not. */
function spanOf({ fromMicros, toMicros = "0" }: TransactionQuery): Span {
  const last = Math.max(0, Math.ceil(Number(toMicros) / 1_000) - 1);
  const first = fromMicros === undefined ? last - OPEN_MS : Math.ceil(Number(fromMicros) / 1_000);
  return { first: Math.min(last, Math.max(0, first)), last };
}
