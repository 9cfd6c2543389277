import { Failure } from "../../lib/errors.ts";
import { createdKey, idAt } from "../../lib/transactions/created-key.ts";
import { readCursor } from "../../lib/transactions/cursor.ts";
import type { TransactionPage, TransactionQuery } from "../../lib/transactions/transaction-page.ts";
import type { Step } from "./play.ts";
import { transactionOf } from "./sample-records.ts";
import type { Given, Question } from "./scripted-endpoint.ts";

/** Records of a page; a client that asks for fewer gets fewer. */
const PAGE_RECORDS_MAX = 3;
const SPACING_MS = 1_000;

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

/** The page of a step. Its records stand a second apart, newest first. */
export function pageOfTransactions(step: Step, search: TransactionQuery, given: Given): TransactionPage {
  const size = step.answer === "empty" ? 0 : Math.min(search.count, PAGE_RECORDS_MAX);
  const toMs = Number((search.toMicros ?? "0").slice(0, -3));
  const first = step.station * PAGE_RECORDS_MAX;
  const records = Array.from({ length: size }, (_, at) =>
    transactionOf(step, {
      id: `tx-${step.act}-${step.station}-${at + 1}`,
      createdAt: new Date(Math.max(0, toMs - (first + at + 1) * SPACING_MS)).toISOString(),
      type: search.types?.[0] ?? "transfer",
      state: search.states?.[0] ?? "completed",
    }),
  );
  given.records = records;
  const docs = records.map(({ text }) => text);
  if (step.isLast) return { docs };
  const micros = String(Math.max(0, toMs - first * SPACING_MS) * 1_000).padStart(18, "0");
  return { docs, next: createdKey(micros, `page-${step.act}-${step.station + 1}`) };
}
