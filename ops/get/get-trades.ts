import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { microsKey } from "../../lib/instant.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
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
import type { TradesQuestion } from "./question.ts";
import { runDownload } from "./run-download.ts";

const HELP = `
Downloads the trades of a market from the exchange's interface, newest first. Both ends are included; a date is its first
moment in UTC, and --to is now unless it is given.
${DOWNLOAD_HELP}
${credentialsHelp("COUNTINGHOUSE_EXCHANGE_API_KEY")}

Examples:
  ${commands.quietOps} get trades BTC-USD --from 7d --format csv > week.csv
  ${commands.ops} get trades BTC-USD --from 2026-01-01 --to 2026-07-01 --format parquet --output half.parquet
  ${commands.ops} get trades BTC-USD --from 1d --url https://api.example --api-key-file key.txt --private-key private.pem

Exit codes: 0 all downloaded, 2 not downloaded, or not to the end, 130 stopped by Ctrl-C.`;

interface Options extends ConnectionOptions, DownloadOptions {
  readonly from: string;
  readonly to?: string;
}

function questionOf(symbol: string, { from, to, limit }: Options): TradesQuestion {
  const now = systemClock();
  const isoOf = (text: string): string =>
    new Date(Math.floor(Number(microsKey(parseMoment(text, now))) / 1000)).toISOString();
  const question = { from: isoOf(from), to: to === undefined ? new Date(now).toISOString() : isoOf(to) };
  if (question.from > question.to) throw new OperatorError("--from must not be later than --to.");
  return { get: "trades", symbol, ...question, ...(limit !== undefined && { limit }) };
}

async function getAll(symbol: string, options: Options): Promise<void> {
  const { from, to, limit } = options;
  const question = questionOf(symbol, options);
  process.exitCode = await runDownload({
    connection: await connect("exchange", options),
    question,
    given: JSON.stringify({ symbol, from, to, limit }),
    ...outputOf(options),
  });
}

/** `get trades`: downloads the trades of a market. */
export function getTrades(group: Command): void {
  const command = group
    .command("trades")
    .description("download the trades of a market")
    .argument("<market>", "the market, such as BTC-USD")
    .addOption(fromOption(systemClock).makeOptionMandatory())
    .addOption(momentOption("--to <instant>", "the newest instant (default: now)", systemClock));
  addConnectionOptions(addDownloadOptions(command), "exchange").addHelpText("after", HELP).action(getAll);
}
