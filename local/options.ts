import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { corsOriginSchema } from "../infra/cors-origin.ts";
import { type Brand, brandEnv, brandOf } from "../lib/brand.ts";
import { ownMember } from "../lib/own-member.ts";
import { addBehaviourOptions, readBehaviour } from "./behaviour-options.ts";
import {
  type Environment,
  parseEndpoint,
  parserOf,
  requirePath,
  resolveForCaller,
} from "./option-parsers.ts";
import type { StoreBehaviour } from "./store/store-behaviour.ts";

/** What `npm start` was told, by options first and by the environment else. */
export interface StartOptions {
  readonly port: number;
  /** Port of mutual TLS, 0 for any free one; undefined where nobody asked for one. */
  readonly tlsPort?: number;
  readonly host: string;
  readonly brand: Brand;
  /** Origins whose browser programs may read answers. */
  readonly corsOrigins: readonly string[];
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  readonly isFresh: boolean;
  /** Address of another engine; the embedded one when absent. */
  readonly engineEndpoint: string | undefined;
  readonly behaviour: StoreBehaviour;
}

/** Each brand setting as an option: its flag, its variable, and what it is. */
const BRAND_OPTIONS = {
  BASE_PATH: ["--base-path <path>", "where clients see the API, such as /api"],
  HEADER_PREFIX: ["--header-prefix <text>", "prefix of the exchange's request headers"],
  VENUE_CODE: ["--venue <code>", "venue of execution and publication"],
  OWN_ACCOUNT_WORD: ["--own-account <word>", "how the service names itself in payments and accounts"],
  VERSION_HEADER: ["--version-header <name>", "request header with the pass contract's version"],
} as const satisfies Record<keyof typeof brandEnv, readonly [string, string]>;

type BrandVariable = keyof typeof brandEnv;

/** The environment of this process, for a child that needs its PATH. The local gateway reads it here and nowhere else. */
export const processEnvironment: Environment = process.env;

/**
 * Reads the command line and the environment. Prints help or a complaint and ends the process where commander does: a
 * value that cannot be used is named with the option it was given to.
 */
export function readOptions(argv: readonly string[], environment = processEnvironment): StartOptions {
  ignoreEmpty(["PORT", "TLS_PORT", "DYNAMODB_ENDPOINT", ...Object.keys(BRAND_OPTIONS)]);
  const command = buildCommand().parse(argv, { from: "user" });
  const given = command.opts<Record<string, string>>();
  return {
    ...readPorts(command),
    host: given.host as string,
    brand: readBrand(command),
    corsOrigins: [...new Set(command.getOptionValue("cors") as string[])],
    dataDir: resolve(resolveForCaller(given.data as string, "start", environment)),
    isFresh: Boolean(given.fresh),
    engineEndpoint: given.dynamodbEndpoint,
    behaviour: readBehaviour(command),
  };
}

function buildCommand(): Command {
  const command = new Command("npm start --")
    .description(
      "Serves countinghouse on this machine: the deployed template's routes, functions and tables.",
    )
    .addOption(
      new Option("--port <number>", "port to listen on; 0 for any free one")
        .env("PORT")
        .default(3000)
        .argParser(parsePort),
    )
    .addOption(
      new Option(
        "--tls-port <number>",
        "port to listen on for clients with certificates; 443 above --port unless given, 0 for any free one",
      )
        .env("TLS_PORT")
        .argParser(parsePort),
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option("--cors <origin...>", "let browser programs of these origins read answers")
        .default([], "none")
        .argParser(parseOrigin),
    )
    .addOption(
      new Option("--data <directory>", "where the store, the demo's credentials and its keys are kept")
        .default(".countinghouse")
        .argParser(requirePath),
    )
    .option("--fresh", "begin with an empty store and new credentials")
    .addOption(
      new Option("--dynamodb-endpoint <url>", "another engine than the embedded one")
        .env("DYNAMODB_ENDPOINT")
        .argParser(parseEndpoint),
    )
    .allowExcessArguments(false)
    .showHelpAfterError("(--help lists every option)");
  for (const [variable, [flags, description]] of Object.entries(BRAND_OPTIONS))
    command.addOption(brandOption(variable as BrandVariable, flags, description));
  addBehaviourOptions(command);
  return command;
}

/** The option of a brand setting: its default and its rule are those of every other stage. */
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

/** Two listeners cannot have one port, which is better said before anything is started. */
function readPorts(command: Command): Pick<StartOptions, "port" | "tlsPort"> {
  const { port, tlsPort } = command.opts<{ port: number; tlsPort?: number }>();
  if (tlsPort === undefined) return { port };
  if (port === tlsPort && port !== 0)
    command.error(
      `error: --port and --tls-port are both ${port}; clients with certificates need another one.`,
    );
  return { port, tlsPort };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

const parseOrigin = (text: string, others: readonly string[]): string[] => [
  ...others,
  parserOf(corsOriginSchema)(text),
];

/** A variable that is set to nothing is as good as not set; commander would try to read it. */
function ignoreEmpty(variables: readonly string[]): void {
  for (const variable of variables)
    if (ownMember(process.env, variable) === "") Reflect.deleteProperty(process.env, variable);
}

/** Whether `npm start` runs us: then the parent process exists for us alone. */
export const isNpmStart = (environment = processEnvironment): boolean =>
  environment.npm_lifecycle_event === "start";
