import { type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { type Brand, brandEnv, brandOf, brandVariablesOf } from "../../lib/brand.ts";
import { readEnv } from "../../lib/env.ts";
import { ownMember } from "../../lib/own-member.ts";
import {
  type Environment,
  parseEndpoint,
  parserOf,
  requirePath,
  resolveForCaller,
} from "../../local/option-parsers.ts";
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
const environment: Environment = process.env;

/** The region that the operator's environment names. */
export const environmentRegion = (): string | undefined =>
  environment.AWS_REGION || environment.AWS_DEFAULT_REGION || undefined;

/** Whether causes and stacks are to be printed after the one line that an error has. */
export const wantsCauses = (): boolean => Boolean(environment.DEBUG);

/** A brand with what the environment says of it: the variables are those of the local gateway, and empty is not set. */
export function environmentBrand(brand: Brand): Brand {
  const variables = Object.entries(brandVariablesOf(brand)).map(([name, value]) => [
    name,
    ownMember(environment, name) || value,
  ]);
  try {
    return brandOf(readEnv(z.object(brandEnv), Object.fromEntries(variables)));
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), error);
  }
}

/** A path as the operator meant it. */
export const callersPath = (path: string): string => resolveForCaller(path, "ops", environment);

/** Gives a command the options that say which store it works on. */
export function addStoreOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--data <directory>", "the local store, as given to `npm start`")
        .argParser((text) => callersPath(requirePath(text)))
        .default(callersPath(DEFAULT_DATA_DIRECTORY), DEFAULT_DATA_DIRECTORY),
    )
    .option("--stage <name>", "the deployed stage of stages/<name>.json instead, with your AWS credentials")
    .addOption(
      new Option("--dynamodb-endpoint <url>", "another engine than the local store's or the stage's own")
        .env("DYNAMODB_ENDPOINT")
        .argParser(parseEndpoint),
    );
}

/** An option for a word of the local stage's brand, under the rule that it has everywhere. */
export function brandOption(flags: string, description: string, variable: keyof typeof brandEnv): Option {
  return new Option(flags, `${description} (default: as \`npm start\` was last told)`)
    .argParser(parserOf(brandEnv[variable]))
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
