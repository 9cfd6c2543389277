import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { places } from "../../local/installation.ts";
import { fileProblem, OperatorError } from "../../local/process/operator-error.ts";
import { temporaryDirectory } from "../../local/process/temporary-directory.ts";
import { wholeNumber } from "../arguments/parse-count.ts";
import { parsePort, portFault } from "../arguments/parse-port.ts";
import { publish } from "../checks/report.ts";
import { checkExits, type Finding, findingsOutput } from "../checks/rule.ts";
import { defineCommand, type GivenOf, takes } from "../command.ts";
import { callersPath, environmentBrand } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { judgeClient } from "./judge-client.ts";
import { REPETITION_MS } from "./play.ts";
import { type ClientRuns, type RunOptions, runClient, runOnce } from "./run-client.ts";
import { type InterfaceName, interfaceNames } from "./scene.ts";
import { type ScriptedService, startScriptedService } from "./scripted-service.ts";
import { checkTomorrow } from "./tomorrow.ts";
import type { Visit } from "./visit.ts";

const checkTakes = takes({
  "[command...]": "after --: the client, and its arguments",
  "--interface <name>": {
    text: "the interface that the client reads",
    choices: [...interfaceNames, "all"],
    default: "all",
  },
  "--port <number>": { text: "the port to open; 0 for any free one", parse: parsePort, default: "0" },
  "--patience <seconds>": {
    text: "after this silence the client does not come back",
    parse: wholeNumber(3, 3_600),
    default: "15",
  },
  "--copy <file>": "the client's own copy of the records, in any format of text",
  "--tomorrow": "play what the contracts allow to come instead, and say which of it breaks COMMAND",
  "--strict": "fail for broken rules of RFCs and of our advice too, and not only for the contract's",
  "--junit <file>": "also write the findings to a file as JUnit XML, for build servers",
});

type Given = GivenOf<typeof checkTakes>;

/** `check-client`: checks whether a client of the interfaces behaves well. */
export const checkClient = defineCommand({
  words: "check-client",
  summary: "play the service to any client, and check how the client behaves",
  about: `
Plays the service to a client of yours, in any language, and judges what the
client does: how it waits, repeats, pages, signs and stops, and whether it keeps
the digits. Bodies, headers, signatures and tokens are those of the service.

COMMAND is started with the address and new credentials in its environment:
  BASE_URL, DEMO_FILE (a file that has all of these)
  exchange  API_KEY, PRIVATE_KEY_FILE, HEADER_PREFIX, SYMBOL
  business  ACCESS_TOKEN, TRANSACTION_ID
  ramp      RAMP_API_KEY, ORDER_ID
  passes    PASS_TOKEN, JWS_KEY_FILE, VERSION_HEADER, PASS_VERSION,
            PARTNER_REFERENCE

COMMAND is started again for each scene, such as a listing with failures, or a
refused credential. Its standard output is taken for its copy of the records:
print amounts as the client understood them, or post them to
BASE_URL/understood, or name the client's own file with --copy.

Without COMMAND, the check prints these variables and waits for your client,
until each scene was played or Ctrl-C, which ends with the report and its code.

A rule of the contract that the client breaks fails. A rule of an RFC, or one
that is our advice, warns, and fails with --strict.

With --tomorrow, COMMAND is started with answers of today, and then once for
each kind of change that the contracts allow to come: new words and members,
absent members, the longest ids and amounts, empty pages, the end of what is
deprecated. If a kind breaks it, each change of the kind is tried alone.

Each request is listed on standard error with its number. The report names
requests by their numbers. ${places.shownDocuments}/check-client.md has the scenes and the rules.`,
  examples: [
    "ops check-client --interface exchange -- \\\nnode docs/examples/typescript/list-trades.ts BTC-USD",
    "ops check-client --interface passes -- ./my-poller --every 1",
    "ops check-client --tomorrow --interface business -- python my_client.py",
    "ops check-client --port 4010",
  ],
  exits: checkExits,
  on: "nothing",
  takes: checkTakes,
  stops: "",
  json: findingsOutput,
  async run(given, { stoppable, isStopped, print }) {
    const exitCode = await stoppable((stop) => check(given, stop, print));
    // Ctrl-C is how a check without COMMAND ends.
    return exitCode === undefined || (given.command.length > 0 && isStopped()) ? {} : { exitCode };
  },
});

/** Checks and reports. Resolves with the exit code. @throws {OperatorError} when no request came. */
async function check(given: Given, stop: AbortSignal, print: Parameters<typeof publish>[2]): Promise<number> {
  const { command } = given;
  if (given.tomorrow && command.length === 0)
    throw new OperatorError("--tomorrow needs COMMAND after --: how it ends shows what broke it.");
  await using directory = await temporaryDirectory("check-client-");
  const startedAt = systemClock();
  await using service = await openService(given, directory.path, startedAt);
  const { findings, fault } = await (given.tomorrow ? tomorrowOn : todayOn)(given, service, stop);
  const hindrance = service.visits.length > 0 ? fault : UNSEEN;
  const about = { url: command.join(" ") || service.baseUrl, startedAt, hindrance };
  const exitCode = await publish({ name: "check-client", ...about, findings }, given.junit, print);
  if (hindrance !== undefined) throw new OperatorError(hindrance);
  return exitCode;
}

const UNSEEN =
  "No request came, so nothing could be checked. Point the client at BASE_URL of its environment.";

/** The findings of a check, and why there can be none. */
interface Checked {
  readonly findings: readonly Finding[];
  readonly fault?: string | undefined;
}

async function todayOn(given: Given, service: ScriptedService, stop: AbortSignal): Promise<Checked> {
  const { runs, output } = await (given.command.length > 0
    ? runClient(service, runOptions(given, stop))
    : waitForClient(service, stop));
  const seen = {
    runs,
    copy: `${output}\n${await copyOf(service, given)}`,
    astray: service.astray,
    brand: environmentBrand(contractBrand),
    baseUrl: service.baseUrl,
    publicKeyHex: service.issued.publicKeyHex,
    patienceMs: given.patience * 1_000,
    now: systemClock(),
  };
  const judged = chosen(given).map((interfaceName) => {
    const visits = service.visits.filter((visit) => visit.interfaceName === interfaceName);
    return judgeClient({ ...seen, interfaceName, visits }, given.strict);
  });
  return { findings: (await Promise.all(judged)).flat() };
}

async function tomorrowOn(given: Given, service: ScriptedService, stop: AbortSignal): Promise<Checked> {
  const options = runOptions(given, stop);
  return checkTomorrow({
    service,
    start: (changes, requestsMax) => runOnce(service, { ...options, requestsMax }, changes),
    copy: () => copyOf(service, given),
    stop,
    tell: (text) => console.error(text),
  });
}

const chosen = ({ interface: name }: Given): readonly InterfaceName[] =>
  name === "all" ? interfaceNames : [name];

async function openService(given: Given, directory: string, startedMs: number): Promise<ScriptedService> {
  const brand = environmentBrand(contractBrand);
  try {
    return await startScriptedService({
      port: given.port,
      directory,
      interfaces: chosen(given),
      brand,
      clock: systemClock,
      onVisit: (visit) => console.error(visitLine(visit, startedMs)),
    });
  } catch (error) {
    throw portFault(error, given.port);
  }
}

const runOptions = ({ command, patience }: Given, signal: AbortSignal): RunOptions => ({
  command,
  patienceMs: patience * 1_000,
  signal,
});

const LOOK_MS = 200;

/** Waits until every scene was played and its last answer could have been repeated, or until Ctrl-C. */
async function waitForClient(service: ScriptedService, signal: AbortSignal): Promise<ClientRuns> {
  console.error(pointingHelp(service));
  service.beginRun();
  const isQuiet = () => systemClock() - (service.visits.at(-1)?.answeredMs ?? 0) > REPETITION_MS;
  while (!signal.aborted && !(service.isOver && isQuiet()))
    await pause(LOOK_MS, undefined, { signal }).catch(() => {});
  return { runs: [], output: "" };
}

/** The client's own file, and what it posted. */
async function copyOf({ understood }: ScriptedService, { copy: file }: Given): Promise<string> {
  if (file === undefined) return understood;
  try {
    return `${await readFile(callersPath(file), "utf8")}\n${understood}`;
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${fileProblem(error)}.`, error);
  }
}

const TARGET_SHOWN_MAX = 38;

/** One line on a request: its number, the time since the start, what it asked for and what it got. */
function visitLine({ number, arrivedMs, target, status, step, refusal }: Visit, startedMs: number): string {
  const asked =
    step?.trouble !== undefined && "waitMs" in step.trouble ? `, wait ${step.trouble.waitMs} ms` : "";
  const got =
    status === 0 ? "connection cut" : step?.trouble?.kind === "cut-body" ? `${status}, body cut` : status;
  const reason = refusal === undefined ? "" : ` ${refusal.code}`;
  const time = `+${((arrivedMs - startedMs) / 1_000).toFixed(3)}`;
  const shown = terminalText(
    target.length > TARGET_SHOWN_MAX ? `${target.slice(0, TARGET_SHOWN_MAX - 3)}...` : target,
  );
  return `${String(number).padStart(4)}  ${time.padStart(9)}  ${shown.padEnd(TARGET_SHOWN_MAX)}  ${got}${reason}${asked}`;
}

/** How to point a client at the service of the check, as lines for a shell. */
function pointingHelp({ variables, issued }: ScriptedService): string {
  const lines = Object.entries(variables).map(([name, value]) => `  export ${name}='${value}'`);
  return [
    `Point your client at ${issued.file.baseUrl}. Its credentials, as in ${issued.path}:`,
    "",
    ...lines,
    "",
    "Each listing, record or poll that it begins is another scene: start it again",
    "when it ends. After a refusal wait three seconds, because an earlier request",
    "counts as a repetition. Ctrl-C ends the check and prints the report.",
  ].join("\n");
}
