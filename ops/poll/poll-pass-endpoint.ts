import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { defineCommand } from "../command.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { outputLost } from "../terminal/standard-output.ts";
import { instantText } from "../terminal/write-table.ts";
import { CREDENTIALS_HELP, parseSeconds, walletOf, walletTakes } from "../wallet/wallet-options.ts";
import { pollEvents, pollLines, pollPass } from "./poll-pass.ts";

/** `poll`: polls a pass endpoint as the wallet service does. */
export const pollPassEndpoint = defineCommand({
  words: "poll",
  summary: "poll a pass as the wallet service does, and print what changes",
  about: `
Polls a pass as the wallet service does: each poll sends the tag of the last answer and waits as long as Retry-After
asks, until a 404 or 410. Prints each answer, and the changes that a customer would see.
${CREDENTIALS_HELP}`,
  examples: ["ops poll https://partner.example --reference demo-1 --token-file token.txt --every 5"],
  exits: { 0: "the pass is gone or --times polls were made", 2: "the pass could not be polled" },
  on: "nothing",
  takes: {
    ...walletTakes,
    "--every <seconds>": {
      text: "the time from one poll to the next",
      parse: parseSeconds,
      default: "60",
    },
    "--times <number>": { text: "the most polls to make", parse: wholeNumber(1, 99_999) },
  },
  stops: "",
  json: {
    lines: true,
    shape: z.object({
      at: jsonTime,
      event: z.enum(pollEvents),
      status: z.nullable(z.number()),
      text: z.string(),
      changes: z.array(z.string()),
      waitMs: z.number(),
    }),
    example: {
      at: "2026-11-29T00:30:00.000Z",
      event: "changed",
      status: 200,
      text: "200  changed",
      changes: ['  semantics.gate: "B12" → "C3"'],
      waitMs: 5_000,
    },
  },
  async run({ reference, every, times, ...given }, { stoppable, print }) {
    await stoppable(async (stop) => {
      const signal = AbortSignal.any([stop, outputLost()]);
      await pollPass({
        wallet: await walletOf({ reference, ...given }, signal),
        reference,
        everyMs: every * 1000,
        ...(times !== undefined && { pollsMax: times }),
        clock: systemClock,
        print: (event) => print({ ...event, at: instantText(event.at) }, pollLines(event)),
        signal,
      });
    });
  },
});
