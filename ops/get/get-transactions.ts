import { type Command, Option } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { utcText } from "../../lib/instant.ts";
import { transactionStates, transactionTypes } from "../../lib/transactions/transaction-kinds.ts";
import { commands } from "../../local/installation.ts";
import { connect } from "./connection.ts";
import { addConnectionOptions, type ConnectionOptions, credentialsHelp } from "./connection-options.ts";
import {
  addDownloadOptions,
  DOWNLOAD_HELP,
  type DownloadOptions,
  fromOption,
  momentOption,
  outputOf,
  parseMoment,
} from "./download-options.ts";
import type { TransactionsQuestion } from "./question.ts";
import { runDownload } from "./run-download.ts";

const HELP = `
Downloads the transactions of the business that the access token names, newest first. --from is included and --to is not.
csv and parquet have a row for each leg, because each leg has its own amount; ndjson has a line for each transaction.
A transaction may change later: the same question may then have another answer.
${DOWNLOAD_HELP}
${credentialsHelp("COUNTINGHOUSE_BUSINESS_TOKEN")}

Examples:
  ${commands.quietOps} get transactions --from 30d --state completed --format csv > month.csv
  ${commands.ops} get transactions --from 2026-10-01 --to 2026-11-01 --output october.ndjson
  ${commands.ops} get transactions --from 1d --url https://api.example --token-file token.txt

Exit codes: 0 all downloaded, 2 not downloaded, or not to the end, 130 stopped by Ctrl-C.`;

interface Options extends ConnectionOptions, DownloadOptions {
  readonly from?: string;
  readonly to?: string;
  readonly type?: string[];
  readonly state?: string[];
  readonly account?: string[];
  readonly requestId?: string;
}

const filtersOf = ({ type, state, account, requestId, limit }: Options) => ({
  ...(type !== undefined && { type }),
  ...(state !== undefined && { state }),
  ...(account !== undefined && { account }),
  ...(requestId !== undefined && { request_id: requestId }),
  ...(limit !== undefined && { limit }),
});

function questionOf(options: Options, subject: string | undefined): TransactionsQuestion {
  const now = systemClock();
  const { from, to } = options;
  return {
    get: "transactions",
    ...(subject !== undefined && { subject }),
    ...(from !== undefined && { from: utcText(parseMoment(from, now)) }),
    to: to === undefined ? new Date(now).toISOString() : utcText(parseMoment(to, now)),
    ...filtersOf(options),
  };
}

async function getAll(options: Options): Promise<void> {
  const connection = await connect("business", options);
  const { from, to } = options;
  process.exitCode = await runDownload({
    connection,
    question: questionOf(options, connection.subject),
    given: JSON.stringify({ subject: connection.subject, from, to, ...filtersOf(options) }),
    ...outputOf(options),
  });
}

const repeated = (flags: string, description: string): Option =>
  new Option(flags, `${description}; repeat the option for several`).argParser(
    (text, before: readonly string[] | undefined) => [...(before ?? []), text],
  );

/** `get transactions`: downloads the transactions of a business. */
export function getTransactions(group: Command): void {
  const command = group
    .command("transactions")
    .description("download the transactions of a business")
    .addOption(fromOption(systemClock))
    .addOption(momentOption("--to <instant>", "the end, not included (default: now)", systemClock))
    .addOption(new Option("--type <types...>", "of these types").choices(transactionTypes))
    .addOption(new Option("--state <states...>", "in these states").choices(transactionStates))
    .addOption(repeated("--account <id>", "with a leg on this account"))
    .option("--request-id <id>", "created under this request ID; it needs --from");
  addConnectionOptions(addDownloadOptions(command), "business").addHelpText("after", HELP).action(getAll);
}
