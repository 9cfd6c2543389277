import { createServer } from "node:http";
import { Command, InvalidArgumentError, Option } from "commander";
import { steadyClock } from "../../lib/clock.ts";
import { hostRule } from "../../local/gateway/host-rule.ts";
import { isLoopback, reachableHost, refusePort } from "../../local/gateway/port.ts";
import { listenOn } from "../../local/http/server.ts";
import { commands, places } from "../../local/installation.ts";
import { addHostOptions, addPortOption, isNpmStart } from "../../local/options.ts";
import { runProgram } from "../../local/process/run-program.ts";
import { START_FAILED } from "../../local/process/start-error.ts";
import { stopWanted } from "../../local/process/stop-signal.ts";
import { catchEngineErrors } from "../../local/store/request-under-way.ts";
import { ignoreEmpty } from "../../local/terminal/option-parsers.ts";
import { House } from "../embed/house.ts";
import { WorldKeeper } from "./world-keeper.ts";
import { takePorts } from "./world-ports.ts";
import { createWorldsDesk, type WorldsDeskOptions } from "./worlds-desk.ts";

/** How often it is looked which worlds are forgotten. */
const LOOK_MS = 60_000;
/** Idle connections stay open, so that a client does not send its next request on a closed one. */
const KEEP_ALIVE_MS = 65_000;

const MOST = 200;

interface WorldsOptions {
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly most: number;
  /** The ports of worlds; absent for any free ones. */
  readonly ports?: readonly number[];
}

/** Reads the command line. As commander does, it prints help or an error and ends the process. */
function readOptions(args: readonly string[]): WorldsOptions {
  const command = new Command(`${commands.startWith} --worlds`)
    .description(
      `Serves a world for each test, in any language: POST /worlds opens one, with records, keys, limits, faults and a clock of its own (${places.shownDocuments}/embedding.md).`,
    )
    .addOption(new Option("--worlds").hideHelp());
  addHostOptions(addPortOption(command))
    .addOption(
      new Option("--most <number>", "how many worlds there may be at a time")
        .default(MOST)
        .argParser(parseMost),
    )
    .addOption(
      new Option(
        "--world-ports <range>",
        "ports of the worlds, two for each, such as 3001-3100; by default any free ones",
      ).argParser(parseRange),
    )
    .helpOption("-h, --help", "print this")
    .allowExcessArguments(false)
    .showHelpAfterError("(--help lists every option)")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : START_FAILED));
  ignoreEmpty(command);
  const given = command.parse(args, { from: "user" }).opts();
  const { port, host, cors: corsOrigins, allowHost: allowedHosts, worldPorts: ports } = given;
  const most = ports === undefined ? given.most : Math.min(given.most, Math.floor(ports.length / 2));
  return { port, host, corsOrigins, allowedHosts, most, ports };
}

function parseMost(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number from 1 to 9999.");
}

function parseRange(text: string): readonly number[] {
  const [first = 0, last = 0] = (/^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).slice(1).map(Number);
  if (first > 0 && last > first && last <= 65_535)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  throw new InvalidArgumentError("It must be two ports with a hyphen, such as 3001-3100.");
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Serves worlds until it is stopped. */
async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const stopping = stopWanted(isNpmStart());
  catchEngineErrors();
  await using running = new AsyncDisposableStack();
  const { host, corsOrigins, most } = options;
  const house: House = new House({ host, corsOrigins, answered: (id) => keeper.touch(id) });
  running.defer(() => house.close());
  const keeper = new WorldKeeper({ house, most, steady: steadyClock });
  running.defer(() => keeper.endAll());
  const forgetting = setInterval(() => void keeper.endForgotten(), LOOK_MS);
  running.defer(() => clearInterval(forgetting));
  const isOwnHost = hostRule([host, ...options.allowedHosts]);
  const takePort = takePorts(options.ports, host);
  const placeFor: WorldsDeskOptions["placeFor"] = (shownHost) => ({ host, shownHost, isOwnHost, takePort });
  const desk = createWorldsDesk({ keeper, isOwnHost, placeFor, log: print });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, desk);
  const { port, close } = await listenOn(server, options.port, host).catch((error: unknown) =>
    refusePort(error, options.port, host, "--port", ""),
  );
  running.defer(close);
  // The first world of a kind takes seconds, every other one some tens of milliseconds.
  const prepared = Promise.all([house.open("first"), house.open("first bare", { demo: false })]);
  if ((await Promise.race([prepared, stopping])) === undefined) return;
  await Promise.all(["first", "first bare"].map((name) => house.closeWorld(name)));
  print(announcement(options, port));
  await stopping;
  print("Ending the worlds; Ctrl-C again stops at once.");
}

function announcement({ host, most }: WorldsOptions, port: number): string {
  const address = `http://${reachableHost(host)}:${port}/worlds`;
  return [
    `countinghouse opens worlds at ${address}`,
    "",
    "In another terminal:",
    `  curl -sS -X POST ${address}`,
    "",
    "DELETE of its control address ends a world, as does an hour without a request.",
    `There are ${most} at most at a time.`,
    `How a test uses one: ${places.shownDocuments}/embedding.md`,
    ...(isLoopback(host)
      ? []
      : ["", `Warning: Everybody who reaches ${host} can open worlds and steer theirs.`]),
    "",
    "Ctrl-C stops it.",
  ].join("\n");
}

/** Serves worlds as the arguments say until a signal stops it, and ends the process. */
export const runWorlds = (args: readonly string[]): Promise<never> => runProgram(() => run(args));
