import { systemClock } from "../../lib/clock.ts";
import { epochMsOf, utcText } from "../../lib/instant.ts";
import { transactionStates, transactionTypes } from "../../lib/transactions/transaction-kinds.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";
import { connect, connectionTakes, credentialsHelp } from "./connection.ts";
import type { TradesQuestion } from "./download-files.ts";
import { FOLLOW_HELP, followChanges, followTakes, isFollowed } from "./follow.ts";
import { followedTransactions } from "./followed.ts";
import { momentTake, parseMoment } from "./moment.ts";
import { DOWNLOAD_HELP, downloadOutput, downloadTakes, FROM, runDownload } from "./run-download.ts";

const exits = { 0: "all downloaded", 2: "not downloaded, or not to the end" } as const;

/** `get trades`: downloads the trades of a market. */
export const getTrades = defineCommand({
  words: "get trades",
  summary: "download the trades of a market",
  about: `
Downloads the trades of a market from the exchange's interface, newest first. Both ends are included; a date is its first
moment in UTC, and --to is now unless it is given.
${DOWNLOAD_HELP}
${credentialsHelp("COUNTINGHOUSE_EXCHANGE_API_KEY")}`,
  examples: [
    "ops get trades BTC-USD --from 7d --format csv > week.csv",
    "ops get trades BTC-USD --from 2026-01-01 --to 2026-07-01 --format parquet --output half.parquet",
    "ops get trades BTC-USD --from 1d --url https://api.example --api-key-file key.txt --private-key private.pem",
  ],
  exits,
  on: "nothing",
  takes: {
    "<market>": "the market, such as BTC-USD",
    "--from <instant>": { ...momentTake(FROM, systemClock), required: true },
    "--to <instant>": momentTake("the newest instant (default: now)", systemClock),
    ...downloadTakes,
    ...connectionTakes.exchange,
  },
  stops: "Stopping …",
  json: downloadOutput,
  async run({ market: symbol, from, to, limit, ...more }, context) {
    const question = tradesQuestion(symbol, from, to, limit);
    const connection = await connect("exchange", more);
    const given = JSON.stringify({ symbol, from, to, limit });
    return await runDownload({ connection, question, given, ...more }, context);
  },
});

function tradesQuestion(symbol: string, from: string, to?: string, limit?: number): TradesQuestion {
  const now = systemClock();
  const isoOf = (text: string): string => new Date(epochMsOf(parseMoment(text, now))).toISOString();
  const span = { from: isoOf(from), to: to === undefined ? new Date(now).toISOString() : isoOf(to) };
  if (span.from > span.to) throw new OperatorError("--from must not be later than --to.");
  return { get: "trades", symbol, ...span, ...(limit !== undefined && { limit }) };
}

const repeated = (text: string) =>
  ({
    text: `${text}; repeat the option for several`,
    parse: (one: string, before: string[] = []): string[] => [...before, one],
  }) as const;

/** `get transactions`: downloads the transactions of a business. */
export const getTransactions = defineCommand({
  words: "get transactions",
  summary: "download the transactions of a business",
  about: `
Downloads the transactions of the business that the access token names, newest first. --from is included and --to is not.
csv and parquet have a row for each leg, because each leg has its own amount; ndjson has a line for each transaction.
A transaction may change later: the same question may then have another answer.
${DOWNLOAD_HELP}

With --follow, each transaction that is created or changes is printed as a line once it is seen, without an end: what is
new or open is looked at every five seconds, everything once a minute for each 1,000 transactions.
${FOLLOW_HELP}
${credentialsHelp("COUNTINGHOUSE_BUSINESS_TOKEN")}`,
  examples: [
    "ops get transactions --from 30d --state completed --format csv > month.csv",
    "ops get transactions --from 2026-10-01 --to 2026-11-01 --output october.ndjson",
    "ops get transactions --from 1d --url https://api.example --token-file token.txt",
    "ops get transactions --follow --resume changes.json --post https://shop.example/hook --secret-file secret.txt",
  ],
  exits,
  on: "nothing",
  takes: {
    "--from <instant>": momentTake(FROM, systemClock),
    "--to <instant>": momentTake("the end, not included (default: now)", systemClock),
    "--type <types...>": { text: "of these types", choices: transactionTypes },
    "--state <states...>": { text: "in these states", choices: transactionStates },
    "--account <id>": repeated("with a leg on this account"),
    "--request-id <id>": "created under this request ID; it needs --from",
    ...followTakes,
    ...downloadTakes,
    ...connectionTakes.business,
  },
  stops: "Stopping …",
  json: downloadOutput,
  async run({ from, to, type, state, account, requestId, limit, ...more }, context) {
    const other = { limit, output: more.output, fresh: more.fresh, format: more.format !== "ndjson" };
    if (isFollowed(more, { to, type, state, account, requestId, ...other })) {
      await followChanges(more, followedTransactions(from), context);
      return {};
    }
    const connection = await connect("business", more);
    const { subject } = connection;
    const filters = {
      ...(type !== undefined && { type: [...type] }),
      ...(state !== undefined && { state: [...state] }),
      ...(account !== undefined && { account }),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(limit !== undefined && { limit }),
    };
    const now = systemClock();
    const question = {
      get: "transactions",
      ...(subject !== undefined && { subject }),
      ...(from !== undefined && { from: utcText(parseMoment(from, now)) }),
      to: to === undefined ? new Date(now).toISOString() : utcText(parseMoment(to, now)),
      ...filters,
    } as const;
    const given = JSON.stringify({ subject, from, to, ...filters });
    return await runDownload({ connection, question, given, ...more }, context);
  },
});
