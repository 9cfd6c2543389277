import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { corsOriginSchema } from "../infra/cors-origin.ts";
import { type Brand, brandEnv, brandOf } from "../lib/brand.ts";
import { commands, places, version } from "./installation.ts";
import { exitCodes } from "./process/operator-error.ts";
import { addBehaviourOptions, readBehaviour } from "./store/behaviour-options.ts";
import type { StoreBehaviour } from "./store/store-behaviour.ts";
import {
  type Environment,
  ignoreEmpty,
  parseEndpoint,
  parserOf,
  requirePath,
  resolveForCaller,
} from "./terminal/option-parsers.ts";
import { shQuoted } from "./terminal/sh-quoted.ts";
import { powershellQuoted } from "./terminal/shell.ts";

/** The settings of the local service. */
export interface ServiceOptions {
  readonly port: number;
  /** Port of mutual TLS, 0 for any free one; absent for the default. */
  readonly tlsPort?: number;
  /** Port of the queues' endpoint, 0 for any free one; absent for the default. */
  readonly queuePort?: number;
  /** Seconds after which a message that failed can be received again; absent for the queue's own. */
  readonly queueRetryS?: number;
  readonly host: string;
  readonly brand: Brand;
  /** Origins whose browser programs may read answers. */
  readonly corsOrigins: readonly string[];
  /** Whether the functions carry the AWS SDK as it is published, as with `functions.stockSdk` of a stage. */
  readonly stockSdk: boolean;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  readonly isFresh: boolean;
  /** Whether the page for browsers is built and served. */
  readonly hasPage: boolean;
  /** Whether answers have what the contracts allow to come. */
  readonly isTomorrow?: boolean;
  /** Names of this machine beside those that cannot be public. */
  readonly allowedHosts: readonly string[];
  /** Address of another engine; undefined for the embedded one. */
  readonly engineEndpoint: string | undefined;
  readonly behaviour: StoreBehaviour;
  /** The command that starts the same again and keeps the data; absent where no command line has started it. */
  readonly startCommand?: string;
}

/** The settings of `npm start`. Options take precedence over environment variables. */
export interface StartOptions extends ServiceOptions {
  /** Whether to print what runs on the data directory and how it differs from AWS, and start nothing. */
  readonly isAbout: boolean;
  /** Absent for the format that suits standard output. */
  readonly log?: LogFormat;
}

/** Each brand setting as an option: flag and description, by environment variable. */
const BRAND_OPTIONS = {
  BASE_PATH: ["--base-path <path>", "base path under which clients see the API, such as /api"],
  HEADER_PREFIX: ["--header-prefix <text>", "prefix of the exchange's request headers"],
  VENUE_CODE: ["--venue <code>", "venue of execution and publication"],
  OWN_ACCOUNT_WORD: ["--own-account <word>", "word by which payments and accounts name the service itself"],
  VERSION_HEADER: ["--version-header <name>", "request header with the pass contract's version"],
} as const satisfies Record<keyof typeof brandEnv, readonly [string, string]>;

/** The data directory unless an option names another, in the directory in which npm was called. */
const DATA_DIRECTORY = ".countinghouse";

/** The absolute path of the default data directory. */
export const defaultDataDir = (environment = processEnvironment): string =>
  resolve(resolveForCaller(DATA_DIRECTORY, "start", environment));

type BrandVariable = keyof typeof brandEnv;

/** The environment of this process, for children that need its PATH. The local service reads it only here. */
export const processEnvironment: Environment = process.env;

/** Reads the command line and the environment, as {@link parseStart} does. */
export function readOptions(argv: readonly string[], environment = processEnvironment): StartOptions {
  const command = parseStart(buildCommand(), argv);
  const given = command.opts<Record<string, string>>();
  return {
    startCommand: startCommandOf(command),
    ...readPorts(command),
    host: given.host as string,
    brand: readBrand(command),
    corsOrigins: [...new Set(command.getOptionValue("cors") as string[])],
    stockSdk: Boolean(given.stockSdk),
    dataDir: resolve(resolveForCaller(given.data as string, "start", environment)),
    isFresh: Boolean(given.fresh),
    hasPage: command.getOptionValue("page") as boolean,
    isTomorrow: Boolean(given.tomorrow),
    allowedHosts: [...new Set(command.getOptionValue("allowHost") as string[])],
    engineEndpoint: given.dynamodbEndpoint,
    behaviour: readBehaviour(command),
    ...(given.queueRetry !== undefined && { queueRetryS: Number(given.queueRetry) }),
    isAbout: Boolean(given.about),
    ...(given.log !== undefined && { log: given.log as LogFormat }),
  };
}

/** The options that were given, whether by flags or by variables, as flags of the command. */
function startCommandOf(command: Command): string {
  const quoted = process.platform === "win32" ? powershellQuoted : shQuoted;
  const given = command.options.filter((option) => {
    const source = command.getOptionValueSource(option.attributeName());
    // What is fresh would lose the data that it is to be started with again.
    return (source === "cli" || source === "env") && option.attributeName() !== "fresh";
  });
  const words = given.flatMap((option) => {
    const values = [command.getOptionValue(option.attributeName())].flat();
    return values.flatMap((value) => [
      option.long ?? "",
      ...(typeof value === "boolean" ? [] : [String(value)]),
    ]);
  });
  if (words.length === 0) return commands.start;
  return [commands.startWith, ...words.map((word) => (/^[\w./:-]+$/.test(word) ? word : quoted(word)))].join(
    " ",
  );
}

/** The options, under headings that say what they are about. */
function buildCommand(): Command {
  const command = new Command(commands.startWith).description(
    "Serves countinghouse on this machine, with the routes, functions and tables of the deployed template.",
  );
  command.optionsGroup("Where it listens:");
  addAddressOptions(command);
  command.optionsGroup("What it serves:");
  addContentOptions(command);
  command.optionsGroup("Words and names of the deployment:");
  for (const [variable, [flags, description]] of Object.entries(BRAND_OPTIONS))
    command.addOption(brandOption(variable as BrandVariable, flags, description));
  command.optionsGroup("Faults and limits:");
  addQueueRetry(command);
  addBehaviourOptions(command);
  command.optionsGroup("What it says:");
  addTellingOptions(command);
  return command.addHelpText(
    "after",
    `\n\`${commands.ops} help\` lists the other commands, such as\ndemo curl, get and check-pass.\nExit codes: 0 stopped, ${exitCodes.failed} it could not start or go on.`,
  );
}

/**
 * Lets the command of a program that serves read its arguments and the environment. As commander does, it prints help or
 * an error and ends the process. An error names the option whose value cannot be used.
 */
export function parseStart(command: Command, argv: readonly string[]): Command {
  ignoreEmpty(command);
  return command
    .allowExcessArguments(false)
    .showHelpAfterError("(--help lists every option)")
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.done : exitCodes.failed))
    .parse(argv, { from: "user" });
}

/** Gives a command the options that say which data and which code it serves. */
function addContentOptions(command: Command): void {
  command
    .addOption(
      new Option("--data <directory>", "directory that keeps the store, and the demo's credentials and keys")
        .default(DATA_DIRECTORY)
        .argParser(requirePath),
    )
    .option("--fresh", "begin with an empty store and new credentials")
    .addOption(
      new Option("--dynamodb-endpoint <url>", "use the engine at this address instead of the embedded one")
        .env("DYNAMODB_ENDPOINT")
        .argParser(parseEndpoint),
    )
    .option("--no-page", "leave out the page for browsers")
    .option("--tomorrow", "put one thing that the contracts allow to come into each answer")
    .option("--worlds", "serve a world for each test instead; --worlds --help has its options")
    .addOption(
      // The package has functions that were built before, and refuses it with the reason.
      new Option(
        "--stock-sdk",
        "build the functions with the AWS SDK as it is published, without stand-ins",
      ).hideHelp("readyAssembly" in places.template),
    );
}

/** Gives a command the options that say what it prints. */
function addTellingOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--log <format>",
        "print each request as a readable line, or as the JSON of its function behind [the function's name]; by default lines on a terminal, and JSON into a pipe or a file",
      ).choices(LOG_FORMATS),
    )
    .option("--about", "say what runs on the data directory and how it differs from AWS, and start nothing")
    .version(`countinghouse ${version}`, "--version", "print the version")
    .helpOption("-h, --help", "print this");
}

function addQueueRetry(command: Command): void {
  command.addOption(
    new Option(
      "--queue-retry <seconds>",
      `seconds after which a message that failed is received again, up to ${RETRY_S_MAX}; by default as long as deployed`,
    ).argParser(parseRetry),
  );
}

/** Gives a command the options that say where it listens, and to whom it answers. */
function addAddressOptions(command: Command): void {
  addPortOption(command)
    .addOption(
      new Option(
        "--tls-port <number>",
        "port to listen on for clients with certificates; by default 443 above --port, 0 for any free one",
      )
        .env("TLS_PORT")
        .argParser(parsePort),
    )
    .addOption(
      new Option(
        "--queue-port <number>",
        "port of the queues, for programs that speak SQS; by default 324 above --port, 0 for any free one",
      )
        .env("QUEUE_PORT")
        .argParser(parsePort),
    );
  addHostOptions(command);
}

/** Gives a command the port that it listens on. */
export const addPortOption = (command: Command): Command =>
  command.addOption(
    new Option("--port <number>", "port to listen on; 0 for any free one")
      .env("PORT")
      .default(3000)
      .argParser(parsePort),
  );

/** Gives a command the options that say on which address it listens, and to whom it answers. */
export const addHostOptions = (command: Command): Command =>
  command
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option("--cors <origin...>", "allow browser programs of these origins to read answers")
        .default([], "none")
        .argParser(parseOrigin),
    )
    .addOption(
      new Option(
        "--allow-host <name...>",
        "answer requests to this name of the machine, too; public names are refused otherwise",
      )
        .default([], "none")
        .argParser(parseHost),
    );

/** The option of a brand setting, with the default and the rule that the setting has in every stage. */
function brandOption(variable: BrandVariable, flags: string, description: string): Option {
  const schema: z.ZodMiniType = brandEnv[variable];
  return new Option(flags, description)
    .env(variable)
    .default(schema.parse(undefined))
    .argParser(parserOf(schema));
}

function readBrand(command: Command): Brand {
  const values = Object.entries(BRAND_OPTIONS).map(([variable, [flags, description]]) => {
    const name = new Option(flags, description).attributeName();
    return [variable, command.getOptionValue(name)] as const;
  });
  return brandOf(z.object(brandEnv).parse(Object.fromEntries(values)));
}

/** Refuses the same port for two listeners, before anything is started. */
function readPorts(command: Command): Pick<StartOptions, "port" | "tlsPort" | "queuePort"> {
  const ports = command.opts<{ port: number; tlsPort?: number; queuePort?: number }>();
  const { port, tlsPort, queuePort } = ports;
  const given = Object.entries({ "--port": port, "--tls-port": tlsPort, "--queue-port": queuePort });
  for (const [at, [option, number]] of given.entries()) {
    const [other] = given.slice(0, at).find(([, before]) => before === number && before !== 0) ?? [];
    if (number === undefined || other === undefined) continue;
    const served = option === "--tls-port" ? "clients with certificates need" : "the queues need";
    command.error(`error: ${other} and ${option} are both ${number}; ${served} a port of their own.`);
  }
  return { port, ...(tlsPort !== undefined && { tlsPort }), ...(queuePort !== undefined && { queuePort }) };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

/** The longest time that SQS keeps a message invisible. */
const RETRY_S_MAX = 43_200;

function parseRetry(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= RETRY_S_MAX) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds from 0 to ${RETRY_S_MAX}.`);
}

function parseHost(text: string, others: readonly string[]): string[] {
  if (/^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i.test(text)) return [...others, text];
  throw new InvalidArgumentError("It must be a host name without a port, such as sandbox.example.com.");
}

const parseOrigin = (text: string, others: readonly string[]): string[] => [
  ...others,
  parserOf(corsOriginSchema)(text),
];

/** Whether `npm start` runs this process. Its parent then exists only to run it. */
export const isNpmStart = (environment = processEnvironment): boolean =>
  commands.scripts.start.includes(environment.npm_lifecycle_event ?? "");

/** How `npm start` prints requests: as the functions' own JSON, or as a line for people. */
const LOG_FORMATS = ["json", "lines"] as const;

type LogFormat = (typeof LOG_FORMATS)[number];

/** The format that was asked for; by default lines on a terminal, and JSON for programs that read the log. */
export const logFormatOf = (asked: LogFormat | undefined, isTerminal: boolean): LogFormat =>
  asked ?? (isTerminal ? "lines" : "json");
