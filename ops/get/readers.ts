import * as z from "zod/mini";
import type {
  CallOptions,
  Trade,
  TradeProgress,
  TradeResume,
  TradeWalk,
  Transaction,
  TransactionQuery,
} from "../../client/src/index.ts";
import { cutElements } from "../../lib/ingest/cut-json.ts";
import { microsKey, parseInstant, utcText } from "../../lib/instant.ts";
import { PAGE_TRADES_MAX } from "../../lib/trades/contract.ts";
import { COUNT_MAX } from "../../lib/transactions/contract.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { Connection } from "./connection.ts";
import { type Dataset, type SentRecord, sentTrade, tradeDataset, transactionDataset } from "./datasets.ts";
import type { Question, TradesQuestion, TransactionsQuestion } from "./download-files.ts";
import { onOneLine } from "./json-text.ts";

/** Records that were read, and from where the reading goes on after them. */
export interface Page {
  readonly records: readonly SentRecord[];
  /** Plain data, to be kept as JSON. */
  readonly position: unknown;
  /** Everything later than this instant was read, in epoch milliseconds. */
  readonly reachedMs: number;
  /** Whether nothing is left after it. */
  readonly isLast: boolean;
  /** Of this reading so far. */
  readonly pages: number;
  readonly tokens: number;
  readonly waitedMs: number;
}

/** How the records of a question are read. */
interface ReadOptions {
  /** Where another reading has ended; undefined at the beginning. */
  readonly position: unknown;
  /** The most records that are still wanted. */
  readonly limit: number | undefined;
  readonly signal: AbortSignal;
}

/** The records of a question, newest first. */
export interface Reader {
  readonly dataset: Dataset;
  /**
   * Reads on, page by page. What was read before a failure or an abort is given before it is thrown.
   *
   * @throws {CountinghouseError} and what else the client throws.
   */
  readonly read: (options: ReadOptions) => AsyncGenerator<Page, void, undefined>;
  /** HTTP requests so far, repetitions included. */
  readonly calls: () => number;
}

/** The reader of a question's records. */
export function readerOf(connection: Connection, question: Question): Reader {
  const calls = (): number => connection.recorder.calls;
  return question.get === "trades"
    ? { dataset: tradeDataset, calls, read: (options) => readTrades(connection, question, options) }
    : {
        dataset: transactionDataset,
        calls,
        read: (options) => readTransactions(connection, question, options),
      };
}

/** Gathers the trades of a walk until the walk tells that a page has ended. */
class GatheredPages {
  #trades: Trade[] = [];
  #pages: Page[] = [];
  #ended = Promise.withResolvers<undefined>();

  /** Resolves once a page has ended that was not taken. */
  get ended(): Promise<undefined> {
    return this.#ended.promise;
  }

  add(trade: Trade): void {
    this.#trades.push(trade);
  }

  end({ resume, pages, tokens, waitedMs }: TradeProgress, isLast: boolean): void {
    const records = this.#trades.map(sentTrade);
    const place = { position: resume, reachedMs: resume.untilMs, isLast };
    this.#pages.push({ records, ...place, pages, tokens, waitedMs });
    this.#trades = [];
    this.#ended.resolve(undefined);
  }

  /** The pages that have ended. */
  take(): readonly Page[] {
    const pages = this.#pages;
    this.#pages = [];
    this.#ended = Promise.withResolvers();
    return pages;
  }
}

/** Reads the trades of a market. */
async function* readTrades(
  { client }: Connection,
  { symbol, from, to }: TradesQuestion,
  { position, limit = Number.POSITIVE_INFINITY, signal }: ReadOptions,
): AsyncGenerator<Page, void, undefined> {
  const gathered = new GatheredPages();
  const stop = new AbortController();
  const walk = client.exchange.trades({
    limit: Math.max(1, Math.min(PAGE_TRADES_MAX, limit)),
    signal: AbortSignal.any([signal, stop.signal]),
    onProgress: (progress) => gathered.end(progress, false),
    ...(position === undefined ? { symbol, from, to } : { resume: position as TradeResume }),
  });
  try {
    yield* pagesOf(walk, gathered, limit);
    // The walk tells nothing of the page in which it is left.
    gathered.end(walk.progress, true);
    yield* gathered.take();
  } catch (error) {
    yield* gathered.take();
    throw error;
  } finally {
    // Ends the reading ahead.
    stop.abort();
  }
}

async function* pagesOf(
  walk: TradeWalk,
  gathered: GatheredPages,
  limit: number,
): AsyncGenerator<Page, void, undefined> {
  const trades = walk[Symbol.asyncIterator]();
  for (let count = 0; count < limit; count += 1) {
    const next = trades.next();
    // A walk through a time without trades ends pages and gives nothing.
    while ((await Promise.race([next, gathered.ended])) === undefined) yield* gathered.take();
    const { done, value } = await next;
    yield* gathered.take();
    if (done === true) return;
    gathered.add(value);
  }
}

/** A place in a list of transactions: everything up to `untilMicros` is left but the transactions `given`. */
const positionSchema = z.strictObject({
  /** The newest instant that is not finished, in 18 digits of microseconds. */
  untilMicros: z.string(),
  /** Ids of the transactions of that instant that were given already. */
  given: z.array(z.string()),
});
type Position = z.infer<typeof positionSchema>;

const MICROS_PER_SECOND = 1_000_000n;

/** A transaction of a list. */
interface Listed {
  readonly transaction: Transaction;
  /** The transaction as it was sent, on one line. */
  readonly line: string;
  /** Whether a page of the list begins with it. */
  readonly isFirst: boolean;
}

/** Transactions of a list, each with its text. */
export async function* listTransactions(
  { client, recorder }: Connection,
  query: TransactionQuery,
  options: CallOptions,
): AsyncGenerator<Listed, void, undefined> {
  let lines: string[] = [];
  for await (const transaction of client.business.transactions(query, options)) {
    const isFirst = lines.length === 0;
    // The list is read a page at a time, so the last answer is that of this transaction.
    if (isFirst)
      lines = cutElements(await recorder.body)
        .map(onOneLine)
        .toReversed();
    const line = lines.pop();
    if (line === undefined) throw new OperatorError("An answer has other transactions than its text shows.");
    yield { transaction, line, isFirst };
  }
}

/** Reads transactions of a business. The list's cursors expire with a release, so a position is made of instant and ids. */
async function* readTransactions(
  connection: Connection,
  question: TransactionsQuestion,
  { position: given, limit = Number.POSITIVE_INFINITY, signal }: ReadOptions,
): AsyncGenerator<Page, void, undefined> {
  const begin = given === undefined ? undefined : positionSchema.parse(given);
  const page = new GrowingPage(begin);
  if (limit > 0)
    for await (const { transaction, line, isFirst } of listTransactions(
      connection,
      queryOf(question, begin, limit),
      { signal },
    )) {
      if (isFirst && page.count > 0) yield page.end(false);
      page.add(transaction, line);
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
  add({ id, created_at: instant }: Transaction, line: string): void {
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
