import { type Command, Option } from "commander";
import * as z from "zod/mini";
import { faultKinds } from "../../local/faults/fault-kinds.ts";
import { clearFaults, type ListedFault, listFaults, setFault } from "../../local/faults/fault-routes.ts";
import { commands, places } from "../../local/installation.ts";
import { parseCount } from "../arguments/parse-count.ts";
import { parseDuration } from "../arguments/parse-duration.ts";
import { askControl } from "../control/ask-control.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { instantText, printTable } from "../terminal/write-table.ts";
import { addRunningOptions, type RunningOptions } from "./running-options.ts";

const HELP = `
ENDPOINT is a name as in ${places.shownDocuments}/reference.md (get-sell-order), a route, a path or
a URL; \`all\` means every endpoint.

Faults:
${[...faultKinds].map(([name, { effect }]) => `  ${name.padEnd(11)} ${effect}`).join("\n")}

With 429, 500 and 503 all checks stay on: a request without a valid credential
still gets its 401. ${places.shownDocuments}/sandbox.md has the command for every status of every
endpoint, also for those that come from a request.

Examples:
  ${commands.ops} demo fault get-sell-order 503 --times 2
  ${commands.ops} demo fault /1.0/trades/all/BTC-USD 429 --for 30s
  ${commands.ops} demo fault all cut --one-in 20
  ${commands.ops} demo fault clear

Exit codes: 0 done, 2 no such endpoint or fault, or no \`${commands.start}\` runs on the
data directory.`;

const CLEAR_HELP = `
Examples:
  ${commands.ops} demo fault clear get-sell-order
  ${commands.ops} demo fault clear

Exit codes: 0 done, 2 no such endpoint, or no \`${commands.start}\` runs on the data
directory.`;

const LIST_HELP = `
A fault stays listed when it is used up or over, until it is cleared.

Example:
  ${commands.ops} demo faults

Exit codes: 0 done, 2 no \`${commands.start}\` runs on the data directory.`;

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
const clearedShape = z.object({ cleared: z.number() });

const exampleFaults: z.input<typeof faultsShape> = [
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
];

const asJson = ({ untilMs, ...fault }: ListedFault): z.input<typeof faultShape> => ({
  ...fault,
  until: untilMs === undefined ? null : instantText(untilMs),
});

interface JsonOptions extends RunningOptions {
  readonly json?: true;
}

interface FaultOptions extends JsonOptions {
  readonly times?: number;
  readonly for?: number;
  readonly oneIn?: number;
  readonly by?: number;
  readonly seed?: number;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The requests that meet a fault, in words. */
function requestsOf({ times, oneIn }: ListedFault): string {
  const which = oneIn === 1 ? "every request" : `one request in ${oneIn}`;
  return times === undefined ? which : `${which}, ${plural(times, "time")}`;
}

const untilOf = ({ untilMs }: ListedFault): string =>
  untilMs === undefined ? "until it is cleared" : `until ${instantText(untilMs)}`;

async function set(route: string, fault: string, options: FaultOptions): Promise<void> {
  const { data, times, for: forMs, oneIn, by: delayMs, seed } = options;
  const given = { times, forMs, oneIn, delayMs, seed };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const set = await askControl(data, setFault, { route, fault, ...present });
  if (options.json === true) return printJson(faultsShape, set.map(asJson));
  for (const listed of set) {
    console.log(`${listed.endpoint} ${listed.effect}.`);
    console.log(
      `  ${requestsOf(listed)}, ${untilOf(listed)}: ${commands.ops} demo fault clear ${listed.endpoint}`,
    );
  }
}

async function clear(route: string | undefined, { data, json }: JsonOptions): Promise<void> {
  const { cleared } = await askControl(data, clearFaults, { ...(route !== undefined && { route }) });
  if (json === true) printJson(clearedShape, { cleared });
  else console.log(`${plural(cleared, "fault")} cleared.`);
}

async function show({ data, json }: JsonOptions): Promise<void> {
  const listed = await askControl(data, listFaults, {});
  if (json === true) printJson(faultsShape, listed.map(asJson));
  else if (listed.length === 0) console.log("No fault is set.");
  else
    printTable({
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
}

const countOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(optionOf(parseCount));

/** `demo fault`: lets requests of an endpoint go wrong, or ends that. */
export function setOrClearFaults(group: Command): void {
  const fault = addRunningOptions(
    group
      .command("fault")
      .enablePositionalOptions()
      .description("let requests of an endpoint go wrong, until `demo fault clear [ENDPOINT]`")
      .argument("<endpoint>", "the endpoint's name, route or path, or all")
      .argument("<fault>", "what goes wrong; the list is below"),
  );
  addJsonOption(fault, faultsShape, exampleFaults)
    .addOption(countOption("--times <n>", "how many requests meet the fault"))
    .addOption(
      new Option("--for <time>", "how long the fault lasts, such as 30s or 10m").argParser(
        optionOf(parseDuration),
      ),
    )
    .addOption(countOption("--one-in <n>", "let one request in N meet the fault, drawn at random"))
    .addOption(
      countOption("--seed <n>", "draw other requests with --one-in; the same seed draws the same ones"),
    )
    .addOption(
      new Option("--by <time>", "how late `slow` answers (default: 3s)").argParser(optionOf(parseDuration)),
    )
    .addHelpText("after", HELP)
    .action(set);
  const ending = fault
    .command("clear")
    .description("end the faults of an endpoint, or all of them")
    .argument("[endpoint]", "the endpoint's name, route or path");
  addJsonOption(addRunningOptions(ending), clearedShape, { cleared: 1 })
    .addHelpText("after", CLEAR_HELP)
    .action(clear);
}

/** `demo faults`: lists the faults that were set, with the requests that have met each. */
export function showFaults(group: Command): void {
  const command = group
    .command("faults")
    .description("list the faults that were set, and how many requests met each");
  addJsonOption(addRunningOptions(command), faultsShape, exampleFaults)
    .addHelpText("after", LIST_HELP)
    .action(show);
}
