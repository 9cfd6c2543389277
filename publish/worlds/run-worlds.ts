import { createServer } from "node:http";
import { Command, InvalidArgumentError, Option } from "commander";
import { steadyClock } from "../../lib/clock.ts";
import { hostRule } from "../../local/gateway/host-rule.ts";
import { isLoopback, reachableHost, refusePort } from "../../local/gateway/port.ts";
import { listenOn } from "../../local/http/server.ts";
import { commands, places } from "../../local/installation.ts";
import { addHostOptions, addPortOption, isNpmStart, parseStart } from "../../local/options.ts";
import { runProgram } from "../../local/process/run-program.ts";
import { stopWanted } from "../../local/process/stop-signal.ts";
import { catchEngineErrors } from "../../local/store/request-under-way.ts";
import { House } from "../embed/house.ts";
import { WorldKeeper } from "./world-keeper.ts";
import { takePorts } from "./world-ports.ts";
import { createWorldsDesk, type WorldsDeskOptions } from "./worlds-desk.ts";

/** How often it is looked which worlds are forgotten. */
const LOOK_MS = 60_000;
/** Idle connections stay open, so that a client does not send its next request on a closed one. */
const KEEP_ALIVE_MS = 65_000;

/** How many worlds there may be at a time. */
const MOST = 200;

interface WorldsOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly cors: readonly string[];
  /** The ports of worlds; absent for any free ones. */
  readonly worldPorts?: readonly number[];
}

function readOptions(args: readonly string[]): WorldsOptions {
  const command = new Command(`${commands.startWith} --worlds`)
    .description(
      `Serves a world for each test, in any language: POST /worlds opens one, with records, keys, limits, faults and a clock of its own (${places.shownDocuments}/embedding.md).`,
    )
    .helpOption("-h, --help", "print this")
    .addOption(new Option("--worlds").hideHelp())
    // A world has it when its test asks for it.
    .addOption(new Option("--tomorrow").conflicts("worlds").hideHelp());
  addHostOptions(addPortOption(command)).addOption(
    new Option(
      "--world-ports <range>",
      "ports of the worlds, two for each, such as 3001-3100; by default any free ones",
    ).argParser(parseRange),
  );
  return parseStart(command, args).opts<WorldsOptions>();
}

function parseRange(text: string): readonly number[] {
  const [first = 0, last = 0] = (/^(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).slice(1).map(Number);
  if (first > 0 && last > first && last <= 65_535)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  throw new InvalidArgumentError("It must be a lower and a higher port with a hyphen, such as 3001-3100.");
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Serves worlds until it is stopped. */
async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const { host, cors: corsOrigins, allowHost, worldPorts } = options;
  const stopping = stopWanted(isNpmStart());
  catchEngineErrors();
  await using running = new AsyncDisposableStack();
  // Each request of a world has a line.
  const house: House = new House({ host, corsOrigins, line: (id) => keeper.touch(id) });
  running.defer(() => house.close());
  const most = Math.min(MOST, Math.floor((worldPorts?.length ?? 2 * MOST) / 2));
  const keeper = new WorldKeeper({ house, most, steady: steadyClock });
  const forgetting = setInterval(() => void keeper.endForgotten(), LOOK_MS);
  running.defer(() => clearInterval(forgetting));
  const isOwnHost = hostRule([host, ...allowHost]);
  const takePort = takePorts(worldPorts, host);
  const placeFor: WorldsDeskOptions["placeFor"] = (shownHost) => ({ host, shownHost, isOwnHost, takePort });
  const desk = createWorldsDesk({ keeper, isOwnHost, placeFor, log: print });
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, desk);
  const { port, close } = await listenOn(server, options.port, host).catch((error: unknown) =>
    refusePort(error, options.port, host),
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

function announcement({ host }: WorldsOptions, port: number): string {
  const address = `http://${reachableHost(host)}:${port}/worlds`;
  return [
    `countinghouse opens worlds at ${address}`,
    "",
    "In another terminal:",
    `  curl -sS -X POST ${address}`,
    "",
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
