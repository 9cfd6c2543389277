import { type Command, InvalidArgumentError } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonLinesOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { outputLost } from "../terminal/standard-output.ts";
import { instantText } from "../terminal/write-table.ts";
import {
  addWalletOptions,
  CREDENTIALS_HELP,
  parseSeconds,
  type WalletCommandOptions,
  walletOf,
} from "../wallet/wallet-options.ts";
import { type PollEvent, pollLines, pollPass } from "./poll-pass.ts";

const EVERY_S_DEFAULT = 60;
const TIMES_MAX = 99_999;

const HELP = `
Polls a pass as the wallet service does: each poll sends the tag of the last answer and waits as long as Retry-After
asks, until a 404 or 410. Prints each answer, and the changes that a customer would see.
${CREDENTIALS_HELP}

Example:
  ${commands.ops} poll https://partner.example --reference demo-1 --token-file token.txt --every 5

Exit codes: 0 the pass is gone or --times polls were made, 2 the pass could not be polled, 130 stopped by Ctrl-C.`;

const shape = z.object({
  at: jsonTime,
  event: z.enum([
    "first",
    "changed",
    "same again",
    "unchanged",
    "gone",
    "busy",
    "failed",
    "too large",
    "no answer",
  ]),
  status: z.nullable(z.number()),
  text: z.string(),
  changes: z.array(z.string()),
  waitMs: z.number(),
});

const example: z.input<typeof shape> = {
  at: "2026-11-29T00:30:00.000Z",
  event: "changed",
  status: 200,
  text: "200  changed",
  changes: ['  semantics.gate: "B12" → "C3"'],
  waitMs: 5_000,
};

const printEvent = (event: PollEvent): void => printJson(shape, { ...event, at: instantText(event.at) });
const printLines = (event: PollEvent): void => console.log(pollLines(event).join("\n"));

interface Options extends WalletCommandOptions {
  readonly json?: true;
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
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  const signal = AbortSignal.any([stop.signal, outputLost()]);
  const end = await pollPass({
    wallet: await walletOf(url, options, signal),
    reference: options.reference,
    everyMs: options.every * 1000,
    ...(options.times !== undefined && { pollsMax: options.times }),
    clock: systemClock,
    print: options.json === true ? printEvent : printLines,
    signal,
  });
  interrupt.forget();
  process.exitCode = end === "stopped" && interrupt.happened() ? exitCodes.interrupted : exitCodes.done;
}

/** `poll`: polls a pass endpoint as the wallet service does. */
export function pollPassEndpoint(group: Command): void {
  const command = addWalletOptions(
    group.command("poll").description("poll a pass as the wallet service does, and print what changes"),
  )
    .option(
      "--every <seconds>",
      "the time from one poll to the next",
      optionOf(parseSeconds),
      EVERY_S_DEFAULT,
    )
    .option("--times <number>", "the most polls to make", parseTimes);
  addJsonLinesOption(command, shape, example).addHelpText("after", HELP).action(poll);
}
