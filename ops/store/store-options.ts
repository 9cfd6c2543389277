import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { type Brand, brandEnv, brandOf } from "../../lib/brand.ts";
import { readEnv } from "../../lib/env.ts";
import { OperatorError } from "../terminal/operator-error.ts";

/** Which store a command works on, as its command line and environment say. */
export interface StoreOptions {
  /** Data directory of the local store. */
  readonly data: string;
  /** A deployed stage, by the name of its file under stages/; the local store when not given. */
  readonly stage?: string;
  /** Address of another DynamoDB than the stage's own. */
  readonly dynamodbEndpoint?: string;
}

const DEFAULT_DATA_DIRECTORY = ".countinghouse";

/** What the environment tells the command line; read here and nowhere else under ops/. */
const environment: Readonly<Record<string, string | undefined>> = process.env;

/** The region that the operator's environment names. */
export const environmentRegion = (): string | undefined =>
  environment.AWS_REGION || environment.AWS_DEFAULT_REGION || undefined;

/** Whether causes and stacks are to be printed after the one line that an error has. */
export const wantsCauses = (): boolean => Boolean(environment.DEBUG);

type BrandVariable = keyof typeof brandEnv;

/** The name of the variable that sets each member of a brand. */
const variableNames = brandOf(
  Object.fromEntries(Object.keys(brandEnv).map((name) => [name, name])) as Record<
    BrandVariable,
    BrandVariable
  >,
);

/** A brand with what the environment says of it: the variables are those of the local gateway, and empty is not set. */
export function environmentBrand(brand: Brand): Brand {
  const members = Object.entries(variableNames) as [keyof Brand, BrandVariable][];
  const variables = members.map(([member, name]) => [name, environment[name] || brand[member]]);
  try {
    return brandOf(readEnv(z.object(brandEnv), Object.fromEntries(variables)));
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), error);
  }
}

/**
 * A path as the operator meant it. `npm run` changes to the top of the project before it starts us, and says where it
 * was called from.
 */
export function callersPath(path: string): string {
  const { INIT_CWD, npm_lifecycle_event: script } = environment;
  return script === "ops" && INIT_CWD !== undefined ? resolve(INIT_CWD, path) : path;
}

function parseEndpoint(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new RangeError("It must be a URL such as http://127.0.0.1:8000.");
}

/** Gives a command the options that say which store it works on. */
export function addStoreOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--data <directory>", "the local store, as given to `npm start`")
        .argParser(callersPath)
        .default(callersPath(DEFAULT_DATA_DIRECTORY), DEFAULT_DATA_DIRECTORY),
    )
    .option("--stage <name>", "the deployed stage of stages/<name>.json instead, with your AWS credentials")
    .addOption(
      new Option("--dynamodb-endpoint <url>", "another engine than the local store's or the stage's own")
        .env("DYNAMODB_ENDPOINT")
        .argParser(optionOf(parseEndpoint)),
    );
}

/** An option for a word of the local stage's brand, under the rule that it has everywhere. */
export function brandOption(flags: string, description: string, variable: BrandVariable): Option {
  const schema: z.ZodMiniType = brandEnv[variable];
  const parse = (text: string): unknown => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new RangeError(`It ${parsed.error.issues.map(({ message }) => message).join(", ")}.`);
  };
  return new Option(flags, `${description} (default: as \`npm start\` was last told)`)
    .argParser(optionOf(parse))
    .conflicts("stage");
}

/** A parser that throws RangeError for what it cannot read, as the parser of an option. */
export function optionOf<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof RangeError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}
