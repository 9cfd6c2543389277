import * as z from "zod/mini";
import { type Brand, brandEnv, brandOf, brandVariablesOf } from "../../lib/brand.ts";
import { readEnv } from "../../lib/env.ts";
import { ownMember } from "../../lib/own-member.ts";
import { commands } from "../../local/installation.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import {
  type Environment,
  parserOf,
  requirePath,
  resolveForCaller,
} from "../../local/terminal/option-parsers.ts";
import { dataOption, type ShellName, shellOf } from "../../local/terminal/shell.ts";

/** The options that say which store a command works on. */
export interface StoreOptions {
  /** Data directory of the local store. */
  readonly data: string;
  /** A deployed stage, by the name of its file under infra/stages/; the local store when not given. */
  readonly stage?: string;
  /** Address of another DynamoDB than the stage's own. */
  readonly dynamodbEndpoint?: string;
}

/** The data directory unless an option names another, in the directory in which npm was called. */
export const DEFAULT_DATA_DIRECTORY = ".countinghouse";

/** The environment variables; read here and nowhere else under ops/. */
const environment: Environment = process.env;

/** The operator's environment, with further variables, for a program that a command starts. */
export const environmentWith = (variables: Readonly<Record<string, string>>): Environment => ({
  ...environment,
  ...variables,
});

/** The region that the operator's environment names. */
export const environmentRegion = (): string | undefined =>
  environment.AWS_REGION || environment.AWS_DEFAULT_REGION || undefined;

/** A credential of a service that is called, by its variable; undefined when it is empty or not set. */
export const environmentSecret = (variable: string): string | undefined =>
  ownMember(environment, variable)?.trim() || undefined;

/** Whether a script of npm runs this process, whose parent then exists only to run it. */
export const isRunByNpm = (): boolean => commands.scripts.ops.includes(environment.npm_lifecycle_event ?? "");

/** Whether an error's stack and cause are printed after its one line. */
export const wantsCauses = (): boolean => Boolean(environment.DEBUG);

/** A brand, with the words that the environment sets in the local gateway's variables. An empty variable sets none. */
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

/** The shell of the terminal that this command was called in. */
export const callersShell = (): ShellName => shellOf(environment, process.platform);

/** A path, relative to the directory that the operator called npm in. */
export const callersPath = (path: string): string => resolveForCaller(path, "ops", environment);

/** What `--data <directory>` takes, in a command's definition: the data directory of a local store. */
export const dataTake = (text = `the data directory of the local store, as given to \`${commands.start}\``) =>
  ({
    text,
    parse: (path: string) => callersPath(requirePath(path)),
    default: DEFAULT_DATA_DIRECTORY,
  }) as const;

/** The option that names a store in a command to paste, after a space; empty for the default store. */
export const storeOption = ({ data, stage }: StoreOptions): string =>
  stage === undefined
    ? dataOption(data, callersPath(DEFAULT_DATA_DIRECTORY), callersShell())
    : ` --stage ${stage}`;

/** What an option for a word of the local stage's brand takes, in a command's definition. */
export const brandTake = (text: string, variable: keyof typeof brandEnv) =>
  ({
    text: `${text} (default: that of the last \`${commands.start}\`)`,
    parse: parserOf(brandEnv[variable]),
    conflicts: "stage",
  }) as const;
