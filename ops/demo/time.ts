import { decodeJwt } from "jose";
import * as z from "zod/mini";
import { readDemoFile } from "../../local/demo/demo-file.ts";
import { commands } from "../../local/installation.ts";
import { timeRoute } from "../../local/time/time-routes.ts";
import { defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { durationText } from "../terminal/time-left.ts";

const EXPIRED = `The tokens of demo.json have expired: \`${commands.ops} token --business ID\` prints another, and a start renews them.`;

/** `demo time`: tells the time of the running `npm start`, and moves it on. */
export const moveTime = defineCommand({
  words: "demo time",
  summary: "show the service's time, or move it on",
  about: `Credentials and passes expire, limits refill, and what is deprecated ends, as if
the time had passed. Commands that work on the service go by its time. Waits of
connections and of the queue stay real.

Time only moves forward, until 2098. It stays moved after a stop and a start;
\`demo reset\` and a start with --fresh bring the machine's time back.`,
  examples: ["ops demo time", "ops demo time +3d", "ops demo time 2027-07-01T00:00:00Z"],
  exits: {
    0: "done",
    2: `time does not move there, or no \`${commands.start}\` runs on the data directory`,
  },
  on: "running service",
  takes: { "[to]": "how far on, as +90s, +12h, +3d, +2w or +1y; or a date or an instant" },
  // A time that lies behind is refused as one.
  takesHyphens: true,
  json: {
    shape: z.object({ now: jsonTime, aheadMs: z.number() }),
    example: { now: "2026-12-03T08:00:00.000Z", aheadMs: 259_200_000 },
  },
  async run({ data, to }) {
    const { now: nowMs, aheadMs } = await askControl(data, timeRoute, { ...(to !== undefined && { to }) });
    const now = new Date(nowMs).toISOString();
    const ahead =
      aheadMs === 0
        ? "It is the machine's."
        : `It is ${durationText(aheadMs)} ahead of the machine's: ${commands.ops} demo reset brings that back.`;
    const { exp: endsS = Number.POSITIVE_INFINITY } = decodeJwt(
      (await readDemoFile(data)).business?.token ?? "",
    );
    const remark = endsS * 1_000 > nowMs ? undefined : EXPIRED;
    return { json: { now, aheadMs }, text: [now, ahead], remark };
  },
});
