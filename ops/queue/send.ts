import { wholeNumber } from "../arguments/parse-count.ts";
import { defineCommand, takes } from "../command.ts";
import { orderOf, ownerTakes } from "../import/announce-newcomer.ts";
import { tradeTakes } from "../import/import-trades.ts";
import { fileTakes, recordFile } from "../import/read-file.ts";
import { runSend, sendJson } from "./run-send.ts";
import { type SendKindName, sentDocuments } from "./send-kinds.ts";

const sendTakes = takes({
  ...fileTakes,
  "--from-line <number>": {
    text: "read the lines before this one, and send none of them",
    parse: wholeNumber(1, 999_999_999_999),
    default: "1",
  },
});

/** What all of them are. */
const common = (kind: SendKindName, summary: string, option = "") =>
  ({
    words: `send ${kind}`,
    summary,
    about: `
Reads ${kind === "markets" ? "one market a line, as in `schema markets`" : `the same files as \`import ${kind}\``}, plain or gzip; - reads standard input. Each line is checked against its contract
before it is sent; a refused line is listed in the rejects file with its reason, and never copied. The records are packed
into messages, and a function stores them: a record that it cannot store is in the rejected queue, which
\`rejected list\` shows. Sending a record twice is safe. After Ctrl-C, or when the queue fails, the last line says from
which line to go on.`,
    examples: [`ops send ${kind}${option} ${kind}.ndjson`],
    exits: { 0: "all sent", 1: "some lines were refused", 2: "the queue or the file failed" },
    on: "queues",
    dryRun: "check every line, and send nothing",
    stops: "",
    json: sendJson,
  }) as const;

const sendDocuments = (kind: Exclude<SendKindName, "trades">, summary: string, option?: string) =>
  defineCommand({
    ...common(kind, summary, option),
    takes: { ...sendTakes, ...ownerTakes[kind] },
    run(given, context) {
      const order = orderOf(given);
      const { owner } = order;
      const head = { kind: sentDocuments[kind].inMessages, ...(owner !== undefined && { owner }) };
      const file = recordFile(given, { holds: "records", format: kind });
      return runSend({ ...order, kind, head, file, fromLine: given.fromLine }, context);
    },
  });

/** `send transactions`, and so on: files of documents, one a line, into the queue of records. */
export const sendTransactions = sendDocuments(
  "transactions",
  "send a business's transactions",
  " --business acme",
);
export const sendSellOrders = sendDocuments(
  "sell-orders",
  "send a ramp partner's sell orders",
  " --partner acme",
);
export const sendPasses = sendDocuments("passes", "send passes to publish");
export const sendMarkets = sendDocuments("markets", "send markets to list");

/** `send trades`: files of trades, in one of several formats, into the queue of records. */
export const sendTrades = defineCommand({
  ...common("trades", "send the trades of a market", " --market BTC-USD"),
  takes: { ...sendTakes, ...tradeTakes },
  run(given, context) {
    const { market, format, revision, lastLine, fromLine, dryRun } = given;
    const owner = market.symbol;
    const order = {
      kind: "trades",
      owner,
      isNewExpected: false,
      isRehearsal: dryRun,
      head: { kind: "trade", owner, ...(revision !== undefined && { revision }) },
      file: recordFile(given, { holds: "trades", format }),
      fromLine,
      trades: { format, takesLastLine: lastLine },
    } as const;
    return runSend(order, context);
  },
});
