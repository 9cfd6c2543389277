import { type Command, InvalidArgumentError } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { pollPass } from "../poll/poll-pass.ts";
import { optionOf } from "../store/store-options.ts";
import { exitCodes } from "../terminal/operator-error.ts";
import {
  addWalletOptions,
  CREDENTIALS_HELP,
  parseSeconds,
  type WalletCommandOptions,
  walletOf,
} from "../wallet/wallet-options.ts";

const EVERY_S_DEFAULT = 60;
const TIMES_MAX = 99_999;

const HELP = `
Polls a pass as the wallet service does: with the tag of the last answer, no sooner than a Retry-After allows, until a
404 or 410. Prints each answer, and what a customer would see change.
${CREDENTIALS_HELP}

Example:
  npm run ops -- poll https://partner.example --reference demo-1 --token-file token.txt --every 5

Exit codes: 0 the pass is gone or there were enough polls, 2 it could not be polled, 130 stopped by Ctrl-C.`;

interface Options extends WalletCommandOptions {
  readonly every: number;
  readonly times?: number;
}

function parseTimes(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError(`It must be a number from 1 to ${TIMES_MAX}.`);
}

async function poll(url: string, options: Options): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const end = await pollPass({
    wallet: await walletOf(url, options, stop.signal),
    reference: options.reference,
    everyMs: options.every * 1000,
    ...(options.times !== undefined && { pollsMax: options.times }),
    clock: systemClock,
    print: (line) => console.log(line),
    signal: stop.signal,
  });
  process.exitCode = end === "stopped" ? exitCodes.interrupted : exitCodes.done;
}

/** `poll`: plays the wallet service to a pass endpoint. */
export function pollPassEndpoint(group: Command): void {
  addWalletOptions(
    group.command("poll").description("poll a pass as the wallet service does, and print what changes"),
  )
    .option("--every <seconds>", "from one poll to the next", optionOf(parseSeconds), EVERY_S_DEFAULT)
    .option("--times <number>", "how many polls at most", parseTimes)
    .addHelpText("after", HELP)
    .action(poll);
}
