import { type Command, Option } from "commander";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { commands } from "../../local/installation.ts";
import { addOwnerOptions } from "../import/import-documents.ts";
import { rejectsOption } from "../import/import-options.ts";
import { parseRevision } from "../import/import-trades.ts";
import { recordFile } from "../import/read-file.ts";
import { type TradeFormat, tradeFormats } from "../import/trades/formats.ts";
import { withStoreToLookAt } from "../store/store.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import type { QueueOptions } from "./queue-client.ts";
import { runSend, sendReport } from "./run-send.ts";
import { type SendKindName, type SendOrder, sentDocuments } from "./send-kinds.ts";
import { addQueueOptions, withQueues } from "./with-queues.ts";

interface Options extends QueueOptions {
  readonly rejects?: string;
  readonly fromLine: number;
  readonly dryRun?: true;
  readonly new?: true;
  readonly json?: true;
  readonly business?: string;
  readonly partner?: string;
}

interface TradeOptions extends Options {
  readonly market: Market;
  readonly format: TradeFormat;
  readonly revision?: number;
  readonly lastLine?: true;
}

const helpOf = (name: string, owner: string): string => `
Reads the same files as \`import ${name}\`, plain or gzip; - reads standard input. Each line is checked against its contract
before it is sent; a refused line is listed in the rejects file with its reason, and never copied. The records are packed
into messages, and a function stores them: a record that it cannot store is in the rejected queue, which
\`rejected list\` shows. Sending a record twice is safe. After Ctrl-C, or when the queue fails, the last line says from
which line to go on.

Example:
  ${commands.ops} send ${name}${owner} ${name}.ndjson

Exit codes: 0 all sent, 1 some lines were refused, 2 the queue or the file failed, 130 stopped by Ctrl-C.`;

async function send(order: SendOrder, options: Options): Promise<void> {
  process.exitCode = order.isRehearsal
    ? await withStoreToLookAt(options, (store) => runSend(order, store, undefined))
    : await withQueues(options, ({ store, queues }) => runSend(order, store, queues));
}

const commonOf = (options: Options) => ({
  fromLine: options.fromLine,
  isNewExpected: options.new === true,
  isRehearsal: options.dryRun === true,
  json: options.json === true,
});

function parseLineNumber(text: string): number {
  const line = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (line >= 1) return line;
  throw new RangeError("A line's number is 1 or more.");
}

const EXAMPLE = {
  sent: 998,
  messages: 10,
  refused: 2,
  skipped: 0,
  dryRun: false,
  rejects: "transactions.ndjson.rejects.ndjson",
  nextLine: null,
  tookMs: 412,
};

/** The argument and the options that all of them have. */
function addCommon(command: Command): Command {
  return addQueueOptions(
    addJsonOption(
      command
        .argument("<file>", "the file to send, or - for standard input")
        .addOption(rejectsOption())
        .addOption(
          new Option("--from-line <number>", "read the lines before this one, and send none of them")
            .argParser(optionOf(parseLineNumber))
            .default(1),
        )
        .option("--dry-run", "check every line, and send nothing"),
      sendReport,
      EXAMPLE,
    ),
  );
}

/** The kinds of documents, and whose they are. */
const DOCUMENTS: readonly (readonly [Exclude<SendKindName, "trades">, summary: string, owner?: string])[] = [
  [
    "transactions",
    "send a business's transactions",
    "the business that the transactions belong to: the `sub` of its tokens",
  ],
  [
    "sell-orders",
    "send a ramp partner's sell orders",
    "the partner that the orders belong to: the owner of its API keys",
  ],
  ["passes", "send passes to publish"],
  ["markets", "send markets to list"],
];

function addDocuments(group: Command, [kind, summary, whose]: (typeof DOCUMENTS)[number]): void {
  const command = group.command(kind).description(summary);
  if (whose !== undefined && kind !== "markets") addOwnerOptions(command, kind, whose);
  const option = {
    transactions: " --business acme",
    "sell-orders": " --partner acme",
    passes: "",
    markets: "",
  };
  addCommon(command)
    .addHelpText("after", helpOf(kind, option[kind]))
    .action((file: string, options: Options) => {
      const owner = options.business ?? options.partner;
      const head = { kind: sentDocuments[kind].inMessages, ...(owner !== undefined && { owner }) };
      const given = recordFile(file, options, { holds: "records", format: kind });
      return send({ ...commonOf(options), kind, head, owner, file: given }, options);
    });
}

function addTrades(group: Command): void {
  const command = group
    .command("trades")
    .description("send the trades of a market")
    .requiredOption("--market <symbol>", "the market of the trades, such as BTC-USD", optionOf(marketOf))
    .addOption(
      new Option("--format <name>", "the format of the file")
        .choices(Object.keys(tradeFormats))
        .default("ndjson"),
    )
    .option(
      "--revision <number>",
      "0 for first reports, a higher number for corrections (default: 0)",
      optionOf(parseRevision),
    )
    .option("--last-line", "accept a last line that ends with a number and no newline");
  addCommon(command)
    .addHelpText("after", helpOf("trades", " --market BTC-USD"))
    .action((file: string, options: TradeOptions) => {
      const { market, format, revision, lastLine } = options;
      const owner = market.symbol;
      const head = { kind: "trade", owner, ...(revision !== undefined && { revision }) } as const;
      const trades = { format, takesLastLine: lastLine === true };
      const given = recordFile(file, options, { holds: "trades", format });
      return send({ ...commonOf(options), kind: "trades", head, owner, file: given, trades }, options);
    });
}

/** `send transactions`, `send sell-orders`, `send passes`, `send trades` and `send markets`: files into the queue. */
export function sendRecords(group: Command): void {
  for (const kind of DOCUMENTS) addDocuments(group, kind);
  addTrades(group);
}
