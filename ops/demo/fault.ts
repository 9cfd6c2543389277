import * as z from "zod/mini";
import { faultKinds } from "../../local/faults/fault-kinds.ts";
import { clearFaults, type ListedFault, listFaults, setFault } from "../../local/faults/fault-routes.ts";
import { commands, places } from "../../local/installation.ts";
import { parseCount } from "../arguments/parse-count.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { defineCommand } from "../command.ts";
import { askControl } from "../control/ask-control.ts";
import { storeOption } from "../store/store-options.ts";
import { jsonTime } from "../terminal/json-output.ts";
import { instantText, type Table } from "../terminal/write-table.ts";

const faultShape = z.object({
  endpoint: z.string(),
  fault: z.string(),
  effect: z.string(),
  hits: z.number(),
  state: z.enum(["on", "used up", "over"]),
  times: z.optional(z.number()),
  oneIn: z.number(),
  until: z.nullable(jsonTime),
});
const faultsShape = z.array(faultShape);
const json = {
  shape: faultsShape,
  example: [
    {
      endpoint: "get-sell-order",
      fault: "503",
      effect: "answers 503 temporarily_unavailable",
      hits: 0,
      state: "on",
      times: 2,
      oneIn: 1,
      until: null,
    },
  ],
} as const;

const asJson = ({ untilMs, ...fault }: ListedFault): z.input<typeof faultShape> => ({
  ...fault,
  until: untilMs === undefined ? null : instantText(untilMs),
});

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The requests that meet a fault, in words. */
function requestsOf({ times, oneIn }: ListedFault): string {
  if (oneIn !== 1) return `one request in ${oneIn}${times === undefined ? "" : `, ${times} in all`}`;
  return times === undefined ? "every request" : plural(times, "request");
}

/** A fault that was just set, of every endpoint or of this one, with the command that ends it. */
function setText(fault: ListedFault, isOfAll: boolean, data: string): string {
  const { endpoint, effect, times, oneIn, untilMs } = fault;
  const next = times === 1 ? "the next request" : `the next ${times} requests`;
  const met = `${times !== undefined && oneIn === 1 ? next : requestsOf(fault)}${isOfAll ? " of each endpoint" : ""}`;
  const until = untilMs === undefined ? "" : `, until ${instantText(untilMs)}`;
  const clear = `${commands.ops} demo fault clear ${endpoint}${storeOption({ data })}`;
  return `${endpoint} ${effect}.\n  This meets ${met}${until}. To end it: ${clear}`;
}

const untilOf = ({ untilMs }: ListedFault): string =>
  untilMs === undefined ? "until it is cleared" : `until ${instantText(untilMs)}`;

const tableOf = (listed: readonly ListedFault[]): Table => ({
  head: ["endpoint", "fault", "meets", "", "hits", "state"],
  rows: listed.map((one) => [
    one.endpoint,
    one.fault,
    requestsOf(one),
    untilOf(one),
    String(one.hits),
    { text: one.state, tint: one.state === "on" ? "warn" : "good" },
  ]),
});

/** `demo fault`: lets requests of an endpoint go wrong. */
export const setFaults = defineCommand({
  words: "demo fault",
  summary: "let requests of an endpoint go wrong, until `demo fault clear [ENDPOINT]`",
  about: `ENDPOINT is a name as in ${places.shownDocuments}/reference.md (get-sell-order), a route, a path or
a URL; \`all\` means every endpoint.

Faults:
${[...faultKinds].map(([name, { effect }]) => `  ${name.padEnd(11)} ${effect}`).join("\n")}

With 429, 500 and 503 all checks stay on: a request without a valid credential
still gets its 401. ${places.shownDocuments}/sandbox.md has the command for every status of every
endpoint, also for those that come from a request.`,
  examples: [
    "ops demo fault get-sell-order 503 --times 2",
    "ops demo fault /1.0/trades/all/BTC-USD 429 --for 30s",
    "ops demo fault all cut --one-in 20",
    "ops demo fault clear",
  ],
  exits: {
    0: "done",
    2: `no such endpoint or fault, or no \`${commands.start}\` runs on the data directory`,
  },
  on: "running service",
  takes: {
    "<endpoint>": "the endpoint's name, route or path, or all",
    "<fault>": "what goes wrong; --help lists them",
    "--times <n>": {
      text: "let the next N requests meet the fault, and no more (default: all)",
      parse: parseCount,
    },
    "--for <time>": { text: "how long the fault lasts, such as 30s or 10m", parse: parseDuration },
    "--one-in <n>": { text: "let one request in N meet the fault, drawn at random", parse: parseCount },
    "--seed <n>": {
      text: "draw other requests with --one-in; the same seed draws the same ones",
      parse: parseCount,
    },
    "--by <time>": { text: "how late `slow` answers (default: 3s)", parse: parseDuration },
  },
  json,
  async run({ data, endpoint: route, fault, times, for: forMs, oneIn, by: delayMs, seed }) {
    const given = { times, forMs, oneIn, delayMs, seed };
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const set = await askControl(data, setFault, { route, fault, ...present });
    return {
      json: set.map(asJson),
      text: set.map((one) => setText(one, set.length > 1, data)),
    };
  },
});

/** `demo fault clear`: ends the faults. */
export const endFaults = defineCommand({
  words: "demo fault clear",
  summary: "end the faults of an endpoint, or all of them",
  examples: ["ops demo fault clear get-sell-order", "ops demo fault clear"],
  exits: { 0: "done", 2: `no such endpoint, or no \`${commands.start}\` runs on the data directory` },
  on: "running service",
  takes: { "[endpoint]": "the endpoint's name, route or path" },
  json: { shape: z.object({ cleared: z.number() }), example: { cleared: 1 } },
  async run({ data, endpoint: route }) {
    const json = await askControl(data, clearFaults, { ...(route !== undefined && { route }) });
    return { json, text: `${plural(json.cleared, "fault")} cleared.` };
  },
});

/** `demo faults`: lists the faults that were set, with the requests that have met each. */
export const showFaults = defineCommand({
  words: "demo faults",
  summary: "list the faults that were set, and how many requests met each",
  about: "A fault stays listed when it is used up or over, until it is cleared.",
  examples: ["ops demo faults"],
  exits: { 0: "done", 2: `no \`${commands.start}\` runs on the data directory` },
  on: "running service",
  json,
  async run({ data }) {
    const listed = await askControl(data, listFaults, {});
    return { json: listed.map(asJson), text: listed.length === 0 ? "No fault is set." : tableOf(listed) };
  },
});
