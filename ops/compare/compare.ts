import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { steadyClock, systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { readGiven } from "../arguments/read-given.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { dataOption, optionOf } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { printTable, terminalWidth } from "../terminal/write-table.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";
import { byHand } from "./by-hand.ts";
import { chooseProbes } from "./choose-probes.ts";
import { comparisonShape, exampleComparison } from "./comparison-shape.ts";
import { openSide, reachSide } from "./open-side.ts";
import { paceOf } from "./pace.ts";
import type { Probe } from "./probe.ts";
import { comparisonOf, reportText } from "./report.ts";
import { type Outcome, runSuite } from "./run-suite.ts";
import { sendMessage } from "./send-message.ts";
import type { Side } from "./side.ts";
import { suite } from "./suite.ts";

const RATE_DEFAULT = 4;
const RATE_MAX = 50;
const TIMEOUT_S = 30;

const HELP = `
Sends the same requests to two addresses, such as \`${commands.start}\` and a deployed
stage, and prints what differs in status, headers and body: every endpoint and
every status that a request can cause, and awkward paths, queries and headers,
byte for byte.

All requests are reads, a few a second. Credentials come from files in the form
of .countinghouse/demo.json, of which any part may be left out; what cannot be
sent for lack of one is listed as not compared. The side that the last
\`${commands.start}\` on --data serves needs no file. Secrets are never printed;
ids of records neither. Certificates of servers are always checked.

Of records that differ, the shapes are compared. With --same-records, which is
for records that were imported on both sides, each byte is.

Examples:
  ${commands.ops} compare --left http://127.0.0.1:3000 \\
    --right https://api.example.com --right-credentials stage.json
  ${commands.ops} compare --left http://127.0.0.1:3000 \\
    --right https://api.example.com --only path,get-pass --ignore spelling

Exit codes: 0 no difference, 1 something differs, 2 an address or a file cannot
be used, 130 stopped by Ctrl-C.`;

interface Options {
  readonly left?: string;
  readonly right?: string;
  readonly leftCredentials?: string;
  readonly rightCredentials?: string;
  readonly data: string;
  readonly ca?: string;
  readonly rate: number;
  /** Seconds. */
  readonly timeout: number;
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly sameRecords?: true;
  readonly includeLimits?: true;
  readonly list?: true;
  readonly json?: true;
}

function parseRate(text: string): number {
  const rate = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (rate >= 1 && rate <= RATE_MAX) return rate;
  throw new RangeError(`It must be a number from 1 to ${RATE_MAX}.`);
}

const parseNames = (text: string): readonly string[] =>
  text.split(",").map((name) => name.trim().toLowerCase());

async function compare(options: Options): Promise<void> {
  const probes = chooseProbes(
    suite,
    options.only ?? [],
    options.includeLimits === true || options.list === true,
  );
  if (options.list === true) {
    listProbes(probes, options);
    return;
  }
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  const limits = { timeoutMs: options.timeout * 1000, signal: stop.signal };
  try {
    const [left, right] = await openSides(options);
    await Promise.all([reachSide(left, limits), reachSide(right, limits)]);
    const outcomes = await collect(probes, left, right, { options, limits });
    report(outcomes, options, left, right);
    if (stop.signal.aborted) process.exitCode = exitCodes.interrupted;
  } finally {
    interrupt.forget();
  }
}

function listProbes(probes: readonly Probe[], { json }: Options): void {
  if (json === true)
    printJson(
      comparisonShape,
      probes.map(({ name, shows }) => ({ request: name, shows })),
    );
  else printTable({ head: ["request", "shows"], rows: probes.map(({ name, shows }) => [name, shows]) });
}

async function openSides({ left, right, data, ...given }: Options): Promise<readonly [Side, Side]> {
  if (left === undefined || right === undefined)
    throw new OperatorError("Give both addresses: --left ADDRESS --right ADDRESS. --help has an example.");
  const ca = given.ca === undefined ? undefined : await readGiven(given.ca);
  return [
    await openSide({ label: "left", address: left, file: given.leftCredentials, data, ca }),
    await openSide({ label: "right", address: right, file: given.rightCredentials, data, ca }),
  ];
}

interface How {
  readonly options: Options;
  readonly limits: { readonly timeoutMs: number; readonly signal: AbortSignal };
}

/** Sends the requests, and says how far it is. What was compared before Ctrl-C is kept. */
async function collect(
  probes: readonly Probe[],
  left: Side,
  right: Side,
  { options, limits }: How,
): Promise<readonly Outcome[]> {
  warn(probes, options, [left, right]);
  const outcomes: Outcome[] = [];
  const wait = (ms: number): Promise<void> =>
    setTimeout(ms, undefined, { signal: limits.signal }).catch(() => {});
  const run = runSuite({
    probes,
    left,
    right,
    send: (side, { message, to }) => sendMessage(to ?? side.destination, message, limits),
    pace: paceOf(options.rate, steadyClock, wait),
    isExact: options.sameRecords === true,
    signal: limits.signal,
  });
  for await (const outcome of run) {
    outcomes.push(outcome);
    showProgress(`compared ${outcomes.length} of ${probes.length} requests`);
  }
  showProgress("");
  if (limits.signal.aborted) console.error(`Stopped after ${outcomes.length} of ${probes.length} requests.`);
  return outcomes;
}

function warn(probes: readonly Probe[], { rate }: Options, sides: readonly Side[]): void {
  for (const { label } of sides.filter(({ isExposed }) => isExposed))
    console.error(`Warning: --${label} is http://, so its credentials can be read on the way.`);
  const seconds = Math.ceil(probes.length / rate);
  console.error(`Sending ${probes.length} requests to each side, ${rate} a second: about ${seconds} s.`);
  const used = new Set(probes.flatMap(({ usesUp }) => (usesUp === undefined ? [] : [usesUp])));
  if (used.size > 0)
    console.error(
      `Warning: this uses up limits, faster than that, so that callers are refused for up to a minute: ${[...used].join(", ")}.`,
    );
}

function report(outcomes: readonly Outcome[], options: Options, left: Side, right: Side): void {
  const comparison = comparisonOf({
    left: left.url.href,
    right: right.url.href,
    outcomes,
    ignore: options.ignore ?? [],
    isExact: options.sameRecords === true,
    byHand: options.only === undefined ? byHand : [],
  });
  if (options.json === true) printJson(comparisonShape, comparison);
  else console.log(reportText(comparison, terminalWidth()));
  process.exitCode = comparison.differences.length > 0 ? exitCodes.someRefused : exitCodes.done;
}

/** `compare`: what differs between two deployments. */
export function compareAddresses(group: Command): void {
  const command = group
    .command("compare")
    .description("send the same requests to two addresses, and show what differs")
    .option("--left <address>", "what stands before every route of the one")
    .option("--right <address>", "what stands before every route of the other")
    .option("--left-credentials <file>", "credentials and ids for the left; - for standard input")
    .option("--right-credentials <file>", "credentials and ids for the right; - for standard input")
    .addOption(dataOption(`the data directory of the local store, as given to \`${commands.start}\``))
    .option("--ca <file>", "the authority of the servers' certificates, PEM, in place of the system's")
    .option("--rate <number>", "requests a second to each side", optionOf(parseRate), RATE_DEFAULT)
    .option(
      "--timeout <seconds>",
      "how long a side may take for one request",
      optionOf(parseSeconds),
      TIMEOUT_S,
    )
    .option(
      "--only <names>",
      "only these requests, or those whose names begin so, with commas between",
      parseNames,
    )
    .option(
      "--ignore <names>",
      "pass over these headers, `spelling`, `status` or `body`, with commas between",
      parseNames,
    )
    .option("--same-records", "both sides have the same records: compare them byte by byte")
    .option("--include-limits", "also use up the limits of the credentials' owners, to compare the 429s")
    .option("--list", "list the requests and what each shows, and send none");
  addJsonOption(command, comparisonShape, exampleComparison).addHelpText("after", HELP).action(compare);
}
