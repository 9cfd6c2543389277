import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { contractBrand } from "../../lib/brand.ts";
import { systemClock } from "../../lib/clock.ts";
import { commands, places } from "../../local/installation.ts";
import { codeOf, exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { temporaryDirectory } from "../../local/process/temporary-directory.ts";
import { parsePort } from "../arguments/parse-port.ts";
import { publish } from "../checks/report.ts";
import { exampleFindings, type Finding, findingsShape } from "../checks/rule.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import { callersPath, environmentBrand, environmentWith } from "../store/store-options.ts";
import { addJsonOption } from "../terminal/json-output.ts";
import { judgeClient } from "./judge-client.ts";
import { REPETITION_MS } from "./play.ts";
import { pointingHelp, visitLine } from "./progress.ts";
import { runClient } from "./run-client.ts";
import { type InterfaceName, interfaceNames } from "./scene.ts";
import { type ScriptedService, startScriptedService } from "./scripted-service.ts";
import type { RunEnd } from "./visit.ts";

const PATIENCE_S = 15;
const PATIENCE_S_MIN = 3;
const PATIENCE_S_MAX = 3_600;

const HELP = `
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
until each scene was played or Ctrl-C.

A rule of the contract that the client breaks fails. A rule of an RFC, or one
that is our advice, warns, and fails with --strict.

Each request is listed on standard error with its number. The report names
requests by their numbers. ${places.shownDocuments}/check-client.md has the scenes and the rules.

Examples:
  ${commands.ops} check-client --interface exchange -- \\
    node docs/examples/typescript/list-trades.ts BTC-USD
  ${commands.ops} check-client --interface passes -- ./my-poller --every 1
  ${commands.ops} check-client --port 4010

Exit codes: 0 nothing failed (there may be warnings), 1 a rule of the contract
is broken, or with --strict any rule, 2 the check could not be made, 130 COMMAND
was stopped by Ctrl-C.`;

interface Options {
  readonly port: number;
  readonly interface: InterfaceName | "all";
  /** Seconds. */
  readonly patience: number;
  readonly copy?: string;
  readonly strict?: true;
  readonly json?: true;
  readonly junit?: string;
}

function parsePatience(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= PATIENCE_S_MIN && seconds <= PATIENCE_S_MAX) return seconds;
  throw new InvalidArgumentError(`It must be a number from ${PATIENCE_S_MIN} to ${PATIENCE_S_MAX}.`);
}

async function check(command: readonly string[], options: Options): Promise<void> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  await using directory = await temporaryDirectory("check-client-");
  const startedMs = systemClock();
  const service = await openService(options, directory.path, startedMs);
  try {
    const { runs, output } =
      command.length > 0
        ? await playTo(command, service, options, stop.signal)
        : await waitForClient(service, stop.signal);
    process.exitCode = await report({ service, runs, output, startedMs }, command, options);
    if (command.length > 0 && stop.signal.aborted) process.exitCode = exitCodes.interrupted;
  } finally {
    await service.close();
    interrupt.forget();
  }
}

const chosen = ({ interface: name }: Options): readonly InterfaceName[] =>
  name === "all" ? interfaceNames : [name];

async function openService(options: Options, directory: string, startedMs: number): Promise<ScriptedService> {
  const brand = environmentBrand(contractBrand);
  try {
    return await startScriptedService({
      port: options.port,
      directory,
      interfaces: chosen(options),
      brand,
      clock: systemClock,
      onVisit: (visit) => console.error(visitLine(visit, startedMs)),
    });
  } catch (error) {
    throw new OperatorError(`Port ${options.port} cannot be opened (${codeOf(error)}).`, error);
  }
}

const playTo = (
  command: readonly string[],
  service: ScriptedService,
  { patience }: Options,
  signal: AbortSignal,
) =>
  runClient(service, {
    command,
    directory: callersPath("."),
    environment: environmentWith(service.variables),
    patienceMs: patience * 1_000,
    clock: systemClock,
    signal,
  });

const LOOK_MS = 200;

/** Waits until every scene was played and its last answer could have been repeated, or until Ctrl-C. */
async function waitForClient(service: ScriptedService, signal: AbortSignal) {
  console.error(pointingHelp(service));
  service.beginRun();
  const isQuiet = () => systemClock() - (service.visits.at(-1)?.answeredMs ?? 0) > REPETITION_MS;
  while (!signal.aborted && !(service.isOver && isQuiet()))
    await pause(LOOK_MS, undefined, { signal }).catch(() => {});
  return { runs: [] as readonly RunEnd[], output: "" };
}

interface Seen {
  readonly service: ScriptedService;
  readonly runs: readonly RunEnd[];
  readonly output: string;
  readonly startedMs: number;
}

/** Judges and reports. Resolves with the exit code. @throws {OperatorError} when no request came. */
async function report(seen: Seen, command: readonly string[], options: Options): Promise<number> {
  const hindrance =
    seen.service.visits.length > 0 ? undefined : "No request came, so nothing could be checked.";
  const about = { url: command.join(" ") || seen.service.baseUrl, startedAt: seen.startedMs, hindrance };
  const findings = await findingsOn(seen, options);
  const code = await publish({ name: "check-client", ...about, findings }, options);
  if (hindrance === undefined) return code;
  throw new OperatorError(`${hindrance} Point the client at BASE_URL of its environment.`);
}

async function findingsOn({ service, runs, output }: Seen, options: Options): Promise<Finding[]> {
  const copy = `${output}\n${service.understood}\n${await readCopy(options.copy)}`;
  const seen = {
    runs,
    copy,
    astray: service.astray,
    brand: environmentBrand(contractBrand),
    baseUrl: service.baseUrl,
    publicKeyHex: service.issued.publicKeyHex,
    patienceMs: options.patience * 1_000,
    now: systemClock(),
  };
  const judged = chosen(options).map((interfaceName) => {
    const visits = service.visits.filter((visit) => visit.interfaceName === interfaceName);
    return judgeClient({ ...seen, interfaceName, visits }, options.strict === true);
  });
  return (await Promise.all(judged)).flat();
}

async function readCopy(file: string | undefined): Promise<string> {
  if (file === undefined) return "";
  try {
    return await readFile(callersPath(file), "utf8");
  } catch (error) {
    throw new OperatorError(`${file} cannot be read (${codeOf(error)}).`, error);
  }
}

/** `check-client`: checks whether a client of the interfaces behaves well. */
export function checkClient(group: Command): void {
  const command = group
    .command("check-client")
    .description("play the service to any client, and check how the client behaves")
    .argument("[command...]", "after --: the client, and its arguments")
    .addOption(
      new Option("--interface <name>", "the interface that the client reads")
        .choices([...interfaceNames, "all"])
        .default("all"),
    )
    .option("--port <number>", "the port to open; 0 for any free one", parsePort, 0)
    .option(
      "--patience <seconds>",
      "after this silence the client does not come back",
      parsePatience,
      PATIENCE_S,
    )
    .option("--copy <file>", "the client's own copy of the records, in any format of text")
    .option(
      "--strict",
      "fail for broken rules of RFCs and of our advice too, and not only for the contract's",
    )
    .option("--junit <file>", "also write the findings to a file as JUnit XML, for build servers");
  addJsonOption(command, findingsShape, exampleFindings).addHelpText("after", HELP).action(check);
}
