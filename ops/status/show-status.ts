import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import type { Tint } from "../../local/terminal/tint.ts";
import { defineCommand } from "../command.ts";
import { costQuestion, showCount } from "../tenants/count-tenants.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { instantText } from "../terminal/write-table.ts";
import { partShapes, readStatus, type Status } from "./status.ts";
import { type StatusMark, stateOf, statusLines } from "./status-lines.ts";

const TINTS: Readonly<Record<StatusMark, Tint>> = { ok: "good", look: "bad", "not known": "warn" };

const EXIT_CODES: Readonly<Record<ReturnType<typeof stateOf>, number>> = {
  well: exitCodes.done,
  attention: exitCodes.someRefused,
  unknown: exitCodes.failed,
};

/** All that could be looked at. */
const seenOf = ({ alarms, switches, credentials, queues, records }: Status) => ({
  ...(alarms.isSeen && alarms.value),
  ...(switches.isSeen && switches.value),
  ...(credentials.isSeen && credentials.value),
  ...(queues.isSeen && queues.value),
  ...(records.isSeen && records.value),
});

/** `status`: what needs somebody now. */
export const showStatus = defineCommand({
  words: "status",
  summary: "show on one screen what needs somebody: alarms, switches, credentials, queues",
  about: `Shows on one screen what needs somebody: alarms that ring, endpoints that are switched off (with who, when and why, where
that is kept), credentials that end within 30 days or ended within the last 7 and have no successor that lives longer, blocked
subjects, queues and records. A part that cannot be looked at is a line that says why. Of a deployed stage, records are shown as DynamoDB last
counted each table, some hours ago; --count counts them by owner, as \`tenants list\` does, there and on a laptop.

The marks: ok, look (somebody should), not known (it could not be looked at).`,
  examples: ["ops status", "ops status --stage prod", "ops status --json | jq -r .state"],
  exits: {
    0: "all is well",
    1: "something needs somebody",
    2: "something could not be looked at, and nothing else needs somebody",
  },
  on: "store",
  takes: { "--count": "count the records of each owner, which reads the tables whole" },
  asks: true,
  json: {
    shape: z.object({
      store: z.string(),
      at: jsonTime,
      /** `attention`: something needs somebody; `unknown`: nothing seen does, but a part could not be looked at. */
      state: z.enum(["well", "attention", "unknown"]),
      /** A part that could not be looked at is absent, and stands in `unknown` with the reason. */
      ...z.partial(z.object(partShapes)).shape,
      unknown: z.array(z.object({ part: z.string(), why: z.string() })),
    }),
    example: {
      store: "stage prod in eu-central-1",
      at: "2026-11-29T03:00:12.000Z",
      state: "attention",
      alarms: [],
      switchesOff: [
        {
          endpoint: "get-pass",
          reason: "DynamoDB is failing",
          by: "arn:aws:sts::111122223333:assumed-role/on-call/kim",
          at: "2026-11-29T02:51:40.000Z",
        },
      ],
      blockedSubjects: [],
      endingCredentials: [],
      queues: [{ queue: "dead", waiting: 0, inFlight: 0 }],
      unknown: [],
    },
  },
  async run({ count, ...options }, { store: open, confirm, progress }) {
    const store = await open();
    const question = count ? await costQuestion(store) : undefined;
    if (question !== undefined) await confirm(question, new OperatorError("Nothing was counted."));
    const now = systemClock();
    const counting = { onRead: showCount(systemClock), stop: new AbortController().signal };
    const status = await readStatus({ store, options, ...(count && { counting }), now });
    progress("");
    const lines = statusLines(status, now);
    const rows = lines.map(({ part, mark, text }) => [{ text: mark, tint: TINTS[mark] }, part, text]);
    return {
      json: {
        store: store.name,
        at: instantText(now),
        state: stateOf(lines),
        ...seenOf(status),
        unknown: lines
          .filter(({ mark }) => mark === "not known")
          .map(({ part, text: why }) => ({ part, why })),
      },
      text: [`${store.name} at ${instantText(now)}`, { rows }],
      exitCode: EXIT_CODES[stateOf(lines)],
    };
  },
});
