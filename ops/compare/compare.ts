import { setTimeout } from "node:timers/promises";
import { steadyClock, systemClock } from "../../lib/clock.ts";
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
import { createReceipt, openReceipt, type Receipt } from "./receipt.ts";
import { comparisonOf, comparisonOutput, recordingOf, reportText } from "./report.ts";
import { type Asking, type Outcome, paceOf, recordSuite, runSuite } from "./run-suite.ts";
import { type SendLimits, sendMessage } from "./send-message.ts";
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
  "--data <directory>": dataTake(),
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
  async run(given, { stoppable, isStopped, progress }) {
    const probes = chooseProbes(suite, given.only ?? [], given.includeLimits || given.list);
    if (given.list)
      return {
        json: probes.map(({ name, shows }) => ({ request: name, shows })),
        text: { head: ["request", "shows"], rows: probes.map(({ name, shows }) => [name, shows]) },
      };
    const task = given.record === undefined ? await comparing(given) : await recording(given, given.record);
    const outcomes: Outcome[] = [];
    await stoppable(async (signal) => {
      const limits = { timeoutMs: given.timeout * 1000, signal };
      await Promise.all(task.live.map((side) => reachSide(side, limits)));
      warn(probes, given, task.live);
      for await (const outcome of task.outcomes({ probes, signal, ...askingOf(given, limits) })) {
        outcomes.push(outcome);
        progress(`${outcomes.length} of ${probes.length} requests are done`);
      }
    });
    if (isStopped()) console.error(`Stopped after ${outcomes.length} of ${probes.length} requests.`);
    return { ...task.told(outcomes), ...(isStopped() && { exitCode: exitCodes.interrupted }) };
  },
});

/** Which sides are asked, what comes of each request, and what is told of all. */
async function comparing(given: Given) {
  if (given.left === undefined || given.right === undefined)
    throw new OperatorError("Give both addresses: --left ADDRESS --right ADDRESS. --help has an example.");
  const left = await openOne("left", given.left, given);
  const right = await openOne("right", given.right, given);
  const isExact = given.sameRecords;
  return {
    live: [left, right].filter((side) => side instanceof Side),
    outcomes: (asking: Asking) => runSuite({ ...asking, left, right, isExact }),
    told: (outcomes: readonly Outcome[]) => {
      const json = comparisonOf({
        left: left.title,
        right: right.title,
        outcomes,
        ignore: given.ignore ?? [],
        isExact,
        byHand: given.only === undefined ? byHand : [],
      });
      const differs = json.differences.length > 0;
      const text = reportText(json, terminalWidth());
      return { json, text, ...(differs && { exitCode: exitCodes.someRefused }) };
    },
  };
}

/** Keeps the answers of the left. What was kept before Ctrl-C is a receipt too. */
async function recording(given: Given, directory: string) {
  const isOne = given.left !== undefined && given.right === undefined;
  const side = isOne ? await openOne("left", given.left, given) : undefined;
  if (!(side instanceof Side))
    throw new OperatorError("--record takes the address of one side: --left ADDRESS, and no --right.");
  const keep = await createReceipt(directory, systemClock);
  return {
    live: [side],
    outcomes: (asking: Asking) => recordSuite({ ...asking, side, keep }),
    told: (outcomes: readonly Outcome[]) => recordingOf(side.title, directory, outcomes),
  };
}

async function openOne(label: Label, address: string, given: Given): Promise<Side | Receipt> {
  if (!address.includes("://")) return await openReceipt(label, address);
  const ca = given.ca !== undefined && { ca: await readGiven(given.ca) };
  return await openSide({ label, address, file: given[`${label}Credentials`], data: given.data, ...ca });
}

/** How requests are sent. */
function askingOf({ rate }: Given, limits: SendLimits): Pick<Asking, "send" | "pace"> {
  const { signal } = limits;
  const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});
  return {
    send: (side, { message, to }) => sendMessage(to ?? side.destination, message, limits),
    pace: paceOf(rate, steadyClock, wait),
  };
}

function warn(probes: readonly Probe[], { rate, record }: Given, live: readonly Side[]): void {
  for (const { label } of live.filter(({ isExposed }) => isExposed))
    console.error(`Warning: --${label} is http://, so its credentials can be read on the way.`);
  if (live.length === 0) return;
  // What is recorded has to come twice.
  const count = probes.length * (record === undefined ? 1 : 2);
  const to = live.length === 1 ? `the ${live[0]?.label}` : "each side";
  console.error(`Sending ${count} requests to ${to}, ${rate} a second: about ${Math.ceil(count / rate)} s.`);
  const used = new Set(probes.flatMap(({ usesUp }) => usesUp ?? []));
  if (used.size > 0)
    console.error(
      `Warning: this uses up limits, faster than that, so that callers are refused for up to a minute: ${[...used].join(", ")}.`,
    );
}
