import * as z from "zod/mini";
import type { Transaction, TransactionQuery } from "../../client/src/index.ts";
import { microsKey, parseInstant, utcText } from "../../lib/instant.ts";
import { COUNT_MAX } from "../../lib/transactions/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { Connection } from "./connection.ts";
import type { SentRecord } from "./dataset.ts";
import { elementsOf } from "./json-text.ts";
import type { Page, Reader, ReadOptions } from "./page.ts";
import type { TransactionsQuestion } from "./question.ts";
import { transactionDataset } from "./transaction-dataset.ts";

/** A place in a list of transactions: everything up to `untilMicros` is left but the transactions `given`. */
const positionSchema = z.strictObject({
  /** The newest instant that is not finished, in 18 digits of microseconds. */
  untilMicros: z.string(),
  /** Ids of the transactions of that instant that were given already. */
  given: z.array(z.string()),
});
type Position = z.infer<typeof positionSchema>;

const MICROS_PER_SECOND = 1_000_000n;

/** Reads transactions of a business. The list's cursors expire with a release, so a position is made of instant and ids. */
export const transactionReader = (connection: Connection, question: TransactionsQuestion): Reader => ({
  dataset: transactionDataset,
  calls: () => connection.recorder.calls,
  read: (options) => readFrom(connection, question, options),
});

async function* readFrom(
  { client, recorder }: Connection,
  question: TransactionsQuestion,
  { position: given, limit = Number.POSITIVE_INFINITY, signal }: ReadOptions,
): AsyncGenerator<Page, void, undefined> {
  const begin = given === undefined ? undefined : positionSchema.parse(given);
  const page = new GrowingPage(begin);
  let lines: string[] = [];
  if (limit > 0)
    for await (const transaction of client.business.transactions(queryOf(question, begin, limit), {
      signal,
    })) {
      if (lines.length === 0) {
        if (page.count > 0) yield page.end(false);
        // The list is read a page at a time, so the last answer is that of this transaction.
        lines = elementsOf(await recorder.body).toReversed();
      }
      page.add(transaction, lines.pop());
      if (page.total >= limit) break;
    }
  yield page.end(true);
}

/** Gathers the transactions of a page. */
class GrowingPage {
  #records: SentRecord[] = [];
  #position: Position | undefined;
  #pages = 0;
  total = 0;

  constructor(begin: Position | undefined) {
    this.#position = begin;
  }

  get count(): number {
    return this.#records.length;
  }

  /** Adds a transaction, unless an earlier reading had it. */
  add({ id, created_at: instant }: Transaction, line: string | undefined): void {
    if (line === undefined) throw new OperatorError("An answer has other transactions than its text shows.");
    const micros = microsOf(instant);
    const given = this.#position?.untilMicros === micros ? this.#position.given : [];
    if (given.includes(id)) return;
    this.#position = { untilMicros: micros, given: [...given, id] };
    this.#records.push({ line, instant, id });
    this.total += 1;
  }

  end(isLast: boolean): Page {
    this.#pages += 1;
    const records = this.#records;
    this.#records = [];
    const reachedMs = Number(this.#position?.untilMicros ?? 0) / 1000;
    const costs = { pages: this.#pages, tokens: this.#pages, waitedMs: 0 };
    return { records, position: this.#position, reachedMs, isLast, ...costs };
  }
}

function microsOf(text: string): string {
  const instant = parseInstant(text);
  if (instant !== undefined) return microsKey(instant);
  throw new OperatorError("A transaction was created at an instant that cannot be read.");
}

function queryOf(
  { from, to, type, state, account, request_id }: TransactionsQuestion,
  begin: Position | undefined,
  limit: number,
): TransactionQuery {
  const filters = { from, type, state, account, request_id } as TransactionQuery;
  // The list does not include its end, and the position's own instant may have more transactions.
  const end = begin === undefined ? to : instantAfter(begin.untilMicros);
  return { ...filters, to: end, count: Math.min(COUNT_MAX, limit) };
}

function instantAfter(micros: string): string {
  const next = BigInt(micros) + 1n;
  const fraction = String(next % MICROS_PER_SECOND).padStart(6, "0");
  return utcText({ seconds: Number(next / MICROS_PER_SECOND), fraction });
}
