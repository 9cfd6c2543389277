import { setTimeout } from "node:timers/promises";
import { steadyClock, systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { readGiven } from "../arguments/read-given.ts";
import { type Context, defineCommand, type GivenOf, takes } from "../command.ts";
import { dataTake } from "../store/store-options.ts";
import { terminalWidth } from "../terminal/write-table.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";
import { byHand } from "./by-hand.ts";
import type { Probe, Sending } from "./probe.ts";
import { Receipt, ReceiptWriter } from "./receipt.ts";
import { comparisonOf, comparisonOutput, recordingOf, reportText } from "./report.ts";
import { type Outcome, paceOf, type Recorded, recordSuite, runSuite } from "./run-suite.ts";
import { type Seen, type SendLimits, sendMessage } from "./send-message.ts";
import { type Label, openSide, reachSide, Side } from "./side.ts";
import { chooseProbes, suite } from "./suite.ts";

const parseNames = (text: string): readonly string[] =>
  text.split(",").map((name) => name.trim().toLowerCase());

const compareTakes = takes({
  "--left <address>": "what stands before every route of the one, or the directory of its receipt",
  "--right <address>": "what stands before every route of the other, or the directory of its receipt",
  "--record <directory>": "keep the left's answers as a receipt in this new directory, and compare nothing",
  "--left-credentials <file>": "credentials and ids for the left; - for standard input",
  "--right-credentials <file>": "credentials and ids for the right; - for standard input",
  "--data <directory>": dataTake(`the data directory of the local store, as given to \`${commands.start}\``),
  "--ca <file>": "the authority of the servers' certificates, PEM, in place of the system's",
  "--rate <number>": { text: "requests a second to each side", parse: wholeNumber(1, 50), default: "4" },
  "--timeout <seconds>": {
    text: "how long a side may take for one request",
    parse: parseSeconds,
    default: "30",
  },
  "--only <names>": {
    text: "only these requests, or those whose names begin so, with commas between",
    parse: parseNames,
  },
  "--ignore <names>": {
    text: "pass over these headers, `spelling`, `status` or `body`, with commas between",
    parse: parseNames,
  },
  "--same-records": "both sides have the same records: compare them byte by byte",
  "--include-limits": "also use up the limits of the credentials' owners, to compare the 429s",
  "--list": "list the requests and what each shows, and send none",
});

type Given = GivenOf<typeof compareTakes>;
type Running = Pick<Context<unknown>, "stoppable" | "isStopped" | "progress">;

/** `compare`: what differs between two deployments. */
export const compareAddresses = defineCommand({
  words: "compare",
  summary: "send the same requests to two addresses, and show what differs",
  about: `
Sends the same requests to two addresses, such as \`${commands.start}\` and a deployed
stage, and prints what differs in status, headers and body: every endpoint and
every status that a request can cause, and awkward paths, queries and headers,
byte for byte.

All requests are reads, a few a second. Credentials come from files in the form
of .countinghouse/demo.json, of which any part may be left out; what cannot be
sent for lack of one is listed as not compared. The side that the last
\`${commands.start}\` on --data serves needs no file. Secrets are never printed;
ids of records neither. Certificates of servers are always checked.

With --record it sends them to the left alone, and writes a file for each request
and its answer, in which names stand for secrets, ids and the address. Any later
comparison may name that directory in place of the address.

Of records that differ, the shapes are compared. With --same-records, which is
for records that were imported on both sides, each byte is.`,
  examples: [
    "ops compare --left http://127.0.0.1:3000 \\\n--right https://api.example.com --right-credentials stage.json",
    "ops compare --left http://127.0.0.1:3000 \\\n--right https://api.example.com --only path,get-pass --ignore spelling",
    "ops compare --left https://api.example.com --left-credentials stage.json --record receipt",
    "ops compare --left receipt --right http://127.0.0.1:3000",
  ],
  exits: { 0: "no difference", 1: "something differs", 2: "an address or a file cannot be used" },
  on: "nothing",
  takes: compareTakes,
  stops: "",
  json: comparisonOutput,
  async run(given, context) {
    const probes = chooseProbes(suite, given.only ?? [], given.includeLimits || given.list);
    if (given.list)
      return {
        json: probes.map(({ name, shows }) => ({ request: name, shows })),
        text: { head: ["request", "shows"], rows: probes.map(({ name, shows }) => [name, shows]) },
      };
    if (given.record !== undefined) return await record(given, given.record, probes, context);
    const { stoppable, isStopped, progress } = context;
    const [left, right] = await openSides(given);
    const live = [left, right].filter((side) => side instanceof Side);
    const outcomes: Outcome[] = [];
    await stoppable(async (signal) => {
      const limits = { timeoutMs: given.timeout * 1000, signal };
      await Promise.all(live.map((side) => reachSide(side, limits)));
      warn(probes, given, live);
      const suiteParts = { probes, left, right, isExact: given.sameRecords, ...askingOf(given, limits) };
      for await (const outcome of runSuite(suiteParts)) {
        outcomes.push(outcome);
        progress(`compared ${outcomes.length} of ${probes.length} requests`);
      }
    });
    if (isStopped()) console.error(`Stopped after ${outcomes.length} of ${probes.length} requests.`);
    const comparison = comparisonOf({
      left: left.title,
      right: right.title,
      outcomes,
      ignore: given.ignore ?? [],
      isExact: given.sameRecords,
      byHand: given.only === undefined ? byHand : [],
    });
    const code = comparison.differences.length > 0 ? exitCodes.someRefused : exitCodes.done;
    const text = reportText(comparison, terminalWidth());
    return { json: comparison, text, exitCode: isStopped() ? exitCodes.interrupted : code };
  },
});

async function openSides(given: Given): Promise<readonly [Side | Receipt, Side | Receipt]> {
  const { left, right } = given;
  if (left === undefined || right === undefined)
    throw new OperatorError("Give both addresses: --left ADDRESS --right ADDRESS. --help has an example.");
  return [await openOne("left", left, given), await openOne("right", right, given)];
}

async function openOne(label: Label, address: string, given: Given): Promise<Side | Receipt> {
  if (!address.includes("://")) return await Receipt.open(label, address);
  const ca = given.ca === undefined ? undefined : await readGiven(given.ca);
  return await openSide({ label, address, file: given[`${label}Credentials`], data: given.data, ca });
}

/** Keeps the answers of the left. What was kept before Ctrl-C is a receipt too. */
async function record(given: Given, directory: string, probes: readonly Probe[], context: Running) {
  const { stoppable, isStopped, progress } = context;
  const side =
    given.left === undefined || given.right !== undefined
      ? undefined
      : await openOne("left", given.left, given);
  if (!(side instanceof Side))
    throw new OperatorError("--record takes the address of one side: --left ADDRESS, and no --right.");
  const writer = await ReceiptWriter.open(directory);
  const all: Recorded[] = [];
  await stoppable(async (signal) => {
    const limits = { timeoutMs: given.timeout * 1000, signal };
    await reachSide(side, limits);
    warn(probes, given, [side]);
    const keep = (probe: Probe, sending: Sending, seen: Seen): Promise<void> =>
      writer.add(probe, side, sending, seen, systemClock());
    for await (const one of recordSuite({ probes, side, ...askingOf(given, limits) }, keep)) {
      all.push(one);
      progress(`recorded ${all.length} of ${probes.length} requests`);
    }
  });
  const exitCode = isStopped() ? exitCodes.interrupted : exitCodes.done;
  return { ...recordingOf(side.title, directory, all), exitCode };
}

/** How requests are sent. */
function askingOf({ rate }: Given, limits: SendLimits) {
  const { signal } = limits;
  const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
  const send = (side: Side, { message, to }: Sending): Promise<Seen> =>
    sendMessage(to ?? side.destination, message, limits);
  return { send, pace: paceOf(rate, steadyClock, wait), signal };
}

function warn(probes: readonly Probe[], { rate }: Given, sides: readonly Side[]): void {
  for (const { label } of sides.filter(({ isExposed }) => isExposed))
    console.error(`Warning: --${label} is http://, so its credentials can be read on the way.`);
  const seconds = Math.ceil(probes.length / rate);
  if (sides.length === 0) return;
  const to = sides.length === 1 ? `the ${sides[0]?.label}` : "each side";
  console.error(`Sending ${probes.length} requests to ${to}, ${rate} a second: about ${seconds} s.`);
  const used = new Set(probes.flatMap(({ usesUp }) => (usesUp === undefined ? [] : [usesUp])));
  if (used.size > 0)
    console.error(
      `Warning: this uses up limits, faster than that, so that callers are refused for up to a minute: ${[...used].join(", ")}.`,
    );
}
