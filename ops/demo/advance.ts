import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { advanceRecord } from "../../local/demo/advance/advance-record.ts";
import { type DemoFile, readDemoFile } from "../../local/demo/demo-file.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { defineCommand } from "../command.ts";

/** The state in `to STATE`, or in `STATE` alone; undefined for none. */
function stateIn(words: readonly string[]): string | undefined {
  const [state, ...others] = words[0] === "to" ? words.slice(1) : words;
  if (others.length === 0 && (state !== undefined || words.length === 0)) return state;
  throw new OperatorError("Give the state as one word: to STATE.");
}

/** Whether an earlier start has written every section, so that credentials can be read there. */
const isWhole = (demo: Partial<DemoFile>): demo is DemoFile =>
  [demo.baseUrl, demo.business, demo.ramp, demo.passes].every((section) => section !== undefined);

/** `demo advance`: moves a record to its next state, or to another one that it can reach. */
export const advanceOne = defineCommand({
  words: "demo advance",
  summary: "move a sell order, a transaction or a pass to its next state",
  about: `ID is that of a sell order, of a transaction, or of a pass (its reference). The
record gets a new version, with the instant of now and all that its state needs.
Imported records advance as well. Without a state, it is the next one:

  sell order   AWAITING_DEPOSIT, DEPOSIT_SEEN, PROCESSING, COMPLETED; instead of
               one of these EXPIRED, REFUNDED, FAILED or CREDITED_AS_CRYPTO
  transaction  created, pending, completed, reverted; or declined or failed
  pass         next, the same pass in a higher version; void, which is final`,
  examples: [
    "ops demo advance 01kdvdna00vzkwfkrqvamzw1gz",
    "ops demo advance 01kdvdna00vzkwfkrqvamzw1gz to REFUNDED",
    "ops demo advance boarding-7Q4KTM to void",
  ],
  exits: { 0: "done", 2: "no such record, several records, or a state that the record cannot reach" },
  on: "running service",
  takes: {
    "<id>": "the id of a sell order or a transaction, or the reference of a pass",
    "[state...]": "`to` and a state that the record can reach; by default the next",
    "--owner <id>": "the business or the partner, where several have the id",
  },
  json: {
    shape: z.object({
      kind: z.string(),
      id: z.string(),
      from: z.string(),
      to: z.string(),
      /** A line that shows the record; null before the first start of the service. */
      curl: z.nullable(z.string()),
    }),
    example: {
      kind: "sell order",
      id: "01kdvdna00vzkwfkrqvamzw1gz",
      from: "AWAITING_DEPOSIT",
      to: "DEPOSIT_SEEN",
      curl: "curl -sS -H 'X-API-KEY: …' http://127.0.0.1:3000/sell-orders/01kdvdna00vzkwfkrqvamzw1gz",
    },
  },
  async run({ id, state: words, owner, data }, { store }) {
    const wanted = stateIn(words);
    const advanced = await advanceRecord(await store(), { id, owner, to: wanted }, systemClock);
    const { kind, record, from, to } = advanced;
    const demo = await readDemoFile(data);
    const curl = isWhole(demo) ? kind.curlLine(demo, record) : null;
    return {
      json: { kind: kind.noun, id, from, to, curl },
      text: [`The ${kind.noun} ${id}: ${from} → ${to}`, ...(curl === null ? [] : [curl])],
    };
  },
});
