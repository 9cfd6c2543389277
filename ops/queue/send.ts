import { type Command, Option } from "commander";
import { systemClock } from "../../lib/clock.ts";
import type { MessageHead } from "../../lib/ingest/message.ts";
import { type Market, marketOf } from "../../lib/markets/market.ts";
import { REVISION_MAX } from "../../lib/trades/segment.ts";
import { commands } from "../../local/installation.ts";
import type { Line } from "../../local/records/read-lines.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { audited } from "../audit/record-change.ts";
import { announceNewcomer } from "../import/announce-newcomer.ts";
import { describeFile } from "../import/first-look.ts";
import { rejectsOption } from "../import/import-options.ts";
import { openSource, type Source } from "../import/open-source.ts";
import { defaultRejectsPath } from "../import/run-import.ts";
import { type TradeFormat, tradeFormats } from "../import/trades/formats.ts";
import { openTrades } from "../import/trades/open-zip.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withStoreToLookAt } from "../store/store.ts";
import { callersPath, optionOf } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import type { QueueOptions } from "./queue-client.ts";
import { closeSend, type SendOutcome, sendFile, sendReport } from "./run-send.ts";
import { sendBatch } from "./send-batch.ts";
import { readerOf, type SendKind, sendKinds } from "./send-kinds.ts";
import type { ReadLine, RecordSending } from "./send-records.ts";
import { tradeReader } from "./send-trades.ts";
import { addQueueOptions, type QueueWork, withQueues } from "./with-queues.ts";

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

/** One file to send, as the command line asks for it. */
interface Asked {
  /** The words after `send`, for the audit. */
  readonly name: string;
  readonly head: MessageHead;
  readonly file: string;
  readonly options: Options;
  readonly open: (file: string, stop: AbortSignal) => Promise<Source>;
  readonly reader: (store: OperatorStore) => Promise<(line: Line) => ReadLine>;
  /** Called before anything is read. An error that it throws ends the command. */
  readonly begin: (store: OperatorStore) => Promise<void>;
  /** The format of the file, for a guess at what else it may hold. */
  readonly format: string;
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

async function send(asked: Asked): Promise<void> {
  const { options } = asked;
  const close = (outcome: SendOutcome): number => closeSend(outcome, options.json === true);
  process.exitCode =
    options.dryRun === true
      ? await withStoreToLookAt(options, async (store) => close(await rehearse(asked, store)))
      : await withQueues(options, async (work) => close(await sendAudited(asked, work)));
}

async function rehearse(asked: Asked, store: OperatorStore): Promise<SendOutcome> {
  await asked.begin(store);
  return await sendInto(asked, store, async (messages) => messages.map(() => undefined));
}

async function sendAudited(asked: Asked, { store, queues }: QueueWork): Promise<SendOutcome> {
  await asked.begin(store);
  const { kind, owner } = asked.head;
  const target = owner === undefined ? `records of kind ${kind}` : `records of kind ${kind} of ${owner}`;
  const sending = () => sendInto(asked, store, (messages) => sendBatch(queues, messages));
  return await audited(
    store,
    { command: `send ${asked.name}`, target },
    sending,
    ({ report, interrupted, fault }) => ({
      counts: { sent: report.sent, refused: report.refused },
      ...(interrupted && { outcome: "stopped" as const }),
      ...(fault !== undefined && { outcome: "failed" as const }),
    }),
  );
}

async function sendInto(
  { head, file, options, format, open, reader }: Asked,
  store: OperatorStore,
  sendMessages: RecordSending["send"],
): Promise<SendOutcome> {
  return await sendFile({
    file: file === "-" ? file : callersPath(file),
    rejects: callersPath(options.rejects ?? defaultRejectsPath(file)),
    head,
    read: await reader(store),
    fromLine: options.fromLine,
    open,
    send: sendMessages,
    describe: (text) => describeFile(text, format),
    isRehearsal: options.dryRun === true,
    json: options.json === true,
    clock: systemClock,
  });
}

function parseLineNumber(text: string): number {
  const line = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (line >= 1) return line;
  throw new RangeError("A line's number is 1 or more.");
}

function parseRevision(text: string): number {
  const revision = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (revision <= REVISION_MAX) return revision;
  throw new RangeError(`A revision is a whole number from 0 to ${REVISION_MAX}.`);
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

function addKind(group: Command, kind: SendKind): void {
  const { name, summary, owner } = kind;
  const command = group.command(name).description(summary);
  if (owner !== undefined)
    command
      .requiredOption(`--${owner.name} <id>`, owner.summary, optionOf(parseOwnerId))
      .option("--new", `accept a ${owner.name} that has no records yet, without asking`)
      .addOption(new Option("--yes").hideHelp().implies({ new: true }));
  addCommon(command)
    .addHelpText("after", helpOf(name, owner === undefined ? "" : ` --${owner.name} acme`))
    .action((file: string, options: Options) => send(askedFor(kind, file, options)));
}

function askedFor(kind: SendKind, file: string, options: Options): Asked {
  const { name, owner } = kind;
  const ownerId = owner && options[owner.name];
  return {
    name,
    head: { kind: kind.kind, ...(ownerId !== undefined && { owner: ownerId }) },
    file,
    options,
    open: openSource,
    reader: async ({ brand }) => readerOf(kind, ownerId ?? "", brand),
    format: name,
    begin: async (store) => {
      if (owner === undefined || ownerId === undefined) return;
      await announceNewcomer({
        kind: owner.name,
        id: ownerId,
        hasRecords: () => owner.hasRecords(store, ownerId),
        isExpected: options.new === true,
        isRehearsal: options.dryRun === true,
        isInputTaken: file === "-",
      });
    },
  };
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
      return send({
        name: "trades",
        head: { kind: "trade", owner: market.symbol, ...(revision !== undefined && { revision }) },
        file,
        options,
        open: openTrades,
        reader: (store) => tradeReader(store, { market, format, takesLastLine: lastLine === true }),
        begin: async () => {},
        format,
      });
    });
}

/** `send transactions`, `send sell-orders`, `send passes`, `send trades` and `send markets`: files into the queue. */
export function sendRecords(group: Command): void {
  for (const kind of sendKinds) addKind(group, kind);
  addTrades(group);
}
