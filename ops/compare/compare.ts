import { setTimeout } from "node:timers/promises";
import { steadyClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { readGiven } from "../arguments/read-given.ts";
import { defineCommand, type GivenOf, takes } from "../command.ts";
import { dataTake } from "../store/store-options.ts";
import { terminalWidth } from "../terminal/write-table.ts";
import { parseSeconds } from "../wallet/wallet-options.ts";
import { byHand } from "./by-hand.ts";
import type { Probe } from "./probe.ts";
import { comparisonOf, comparisonOutput, reportText } from "./report.ts";
import { type Outcome, paceOf, runSuite } from "./run-suite.ts";
import { type SendLimits, sendMessage } from "./send-message.ts";
import { openSide, reachSide, type Side } from "./side.ts";
import { chooseProbes, suite } from "./suite.ts";

const parseNames = (text: string): readonly string[] =>
  text.split(",").map((name) => name.trim().toLowerCase());

const compareTakes = takes({
  "--left <address>": "what stands before every route of the one",
  "--right <address>": "what stands before every route of the other",
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

Of records that differ, the shapes are compared. With --same-records, which is
for records that were imported on both sides, each byte is.`,
  examples: [
    "ops compare --left http://127.0.0.1:3000 \\\n--right https://api.example.com --right-credentials stage.json",
    "ops compare --left http://127.0.0.1:3000 \\\n--right https://api.example.com --only path,get-pass --ignore spelling",
  ],
  exits: { 0: "no difference", 1: "something differs", 2: "an address or a file cannot be used" },
  on: "nothing",
  takes: compareTakes,
  stops: "",
  json: comparisonOutput,
  async run(given, { stoppable, isStopped, progress }) {
    const probes = chooseProbes(suite, given.only ?? [], given.includeLimits || given.list);
    if (given.list)
      return {
        json: probes.map(({ name, shows }) => ({ request: name, shows })),
        text: { head: ["request", "shows"], rows: probes.map(({ name, shows }) => [name, shows]) },
      };
    const [left, right] = await openSides(given);
    const outcomes: Outcome[] = [];
    await stoppable(async (signal) => {
      const limits = { timeoutMs: given.timeout * 1000, signal };
      await Promise.all([reachSide(left, limits), reachSide(right, limits)]);
      warn(probes, given, [left, right]);
      for await (const outcome of outcomesOf(probes, [left, right], given, limits)) {
        outcomes.push(outcome);
        progress(`compared ${outcomes.length} of ${probes.length} requests`);
      }
    });
    if (isStopped()) console.error(`Stopped after ${outcomes.length} of ${probes.length} requests.`);
    const comparison = comparisonOf({
      left: left.url.href,
      right: right.url.href,
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

async function openSides({ left, right, data, ...given }: Given): Promise<readonly [Side, Side]> {
  if (left === undefined || right === undefined)
    throw new OperatorError("Give both addresses: --left ADDRESS --right ADDRESS. --help has an example.");
  const ca = given.ca === undefined ? undefined : await readGiven(given.ca);
  return [
    await openSide({ label: "left", address: left, file: given.leftCredentials, data, ca }),
    await openSide({ label: "right", address: right, file: given.rightCredentials, data, ca }),
  ];
}

/** Sends the requests. What was compared before Ctrl-C is kept. */
function outcomesOf(
  probes: readonly Probe[],
  [left, right]: readonly [Side, Side],
  { rate, sameRecords: isExact }: Given,
  limits: SendLimits,
): AsyncGenerator<Outcome> {
  const { signal } = limits;
  const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
  return runSuite({
    probes,
    left,
    right,
    send: (side, { message, to }) => sendMessage(to ?? side.destination, message, limits),
    pace: paceOf(rate, steadyClock, wait),
    isExact,
    signal,
  });
}

function warn(probes: readonly Probe[], { rate }: Given, sides: readonly Side[]): void {
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
