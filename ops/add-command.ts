import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { commands } from "../local/installation.ts";
import { OperatorError } from "../local/process/operator-error.ts";
import { ignoreEmpty, parseEndpoint } from "../local/terminal/option-parsers.ts";
import type { Definition, Place, Take, Takes } from "./command.ts";
import { runCommand } from "./run-command.ts";
import { dataTake } from "./store/store-options.ts";
import { shapeText } from "./terminal/shape-text.ts";

/** The options that say where a command works. */
const places: Readonly<Record<Place, Takes>> = (() => {
  const stage = {
    "--stage <name>": "use the deployed stage of infra/stages/<name>.json, with your AWS credentials",
  };
  const service = {
    "--data <directory>": dataTake(`the data directory of the \`${commands.start}\` that runs`),
  };
  const store: Takes = {
    "--data <directory>": dataTake(),
    ...stage,
    "--dynamodb-endpoint <url>": {
      text: "use this DynamoDB in place of the local store's or the stage's",
      env: "DYNAMODB_ENDPOINT",
      parse: parseEndpoint,
    },
  };
  return {
    store,
    "store, made if missing": store,
    queues: {
      ...store,
      "--sqs-endpoint <url>": {
        text: "use this SQS in place of the running service's or the stage's",
        env: "SQS_ENDPOINT",
        parse: parseEndpoint,
      },
    },
    "running service": {
      ...service,
      "--stage <name>": { text: "", parse: refuseStage, isHidden: true },
    },
    "running service or stage": { ...service, ...stage },
    nothing: {},
  };
})();

/** Refuses `--stage` with the reason, where it would otherwise be an unknown option. */
function refuseStage(): never {
  throw new RangeError(
    `The demo commands work on an \`${commands.start}\` of this machine, and never on a deployed stage.`,
  );
}

/** Everything that a command takes, in the order in which its help lists it. */
const allTakes = ({ takes = {}, on, dryRun, asks, json }: Definition): Takes => ({
  ...takes,
  ...(dryRun !== undefined && { "--dry-run": dryRun }),
  ...(asks && { "--yes": "answer yes to the question, without asking" }),
  ...places[on],
  ...(typeof json !== "string" && {
    "--json": `print ${json.lines ? "JSON lines" : "one JSON text"}, for programs: ${shapeText(json.shape)}`,
  }),
});

const definitions = new WeakMap<Command, Definition>();

/** The definition of a command; undefined for a group. */
export const definitionOf = (command: Command): Definition | undefined => definitions.get(command);

/** The commands that a program or a group has, in the order of its help. */
export const actsOf = (command: Command): Command[] => [
  ...(definitions.has(command) ? [command] : []),
  ...command.commands.flatMap(actsOf),
];

/**
 * Adds a command to the program, below the groups, or the command, that its words name.
 *
 * @param groups what the groups are about, by their words.
 */
export function addCommand(
  program: Command,
  definition: Definition,
  groups: ReadonlyMap<string, string>,
): void {
  const words = definition.words.split(" ");
  let parent = program;
  for (const [at, word] of words.entries()) {
    const about = at === words.length - 1 ? definition.summary : groups.get(words.slice(0, at + 1).join(" "));
    const known = parent.commands.find((one) => one.name() === word);
    // An option belongs to the command that it follows, also where a command has others below it.
    parent =
      known ??
      parent
        .command(word)
        .description(about ?? "")
        .enablePositionalOptions();
  }
  const command = parent;
  definitions.set(command, definition);
  command.allowUnknownOption(definition.takesHyphens ?? false);
  for (const [flags, take] of Object.entries(allTakes(definition))) addTake(command, flags, take);
  ignoreEmpty(command);
  command.addHelpText("after", helpOf(definition));
  command.action((...given: unknown[]) => runCommand(definition, givenTo(command, given)));
}

function addTake(command: Command, flags: string, given: Take): void {
  const take = typeof given === "string" ? { text: given } : given;
  const isOption = flags.startsWith("-");
  const added = isOption ? new Option(flags, take.text) : new Argument(flags, take.text);
  const parse = parserOf(isOption ? `--${(added as Option).name()}` : flags, take);
  if (take.choices !== undefined) added.choices(take.choices);
  else if (parse !== undefined) added.argParser(parse);
  if (take.default !== undefined)
    added.default(parse?.(take.default, undefined) ?? take.default, take.defaultText ?? take.default);
  if (added instanceof Argument) command.addArgument(added);
  else command.addOption(constrained(added, take));
}

function constrained(
  option: Option,
  { required, env, conflicts, implies, isHidden }: Exclude<Take, string>,
): Option {
  if (required) option.makeOptionMandatory();
  if (env !== undefined) option.env(env);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (implies !== undefined) option.implies(implies);
  return isHidden ? option.hideHelp() : option;
}

/** A parser whose RangeErrors end the command with their message, which names the option. */
function parserOf(name: string, { parse, isUnquoted }: Exclude<Take, string>) {
  if (parse === undefined) return undefined;
  return (text: string, before: unknown): unknown => {
    try {
      return parse(text, before as never);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The message of an InvalidArgumentError follows a quotation of what was given.
      if (isUnquoted) throw new OperatorError(`${name}: ${error.message}`, error);
      throw new InvalidArgumentError(error.message);
    }
  };
}

/** What `run` is given: what was parsed, and false for each switch that was not used. */
function givenTo(command: Command, words: readonly unknown[]): Record<string, unknown> {
  const named = command.registeredArguments.map(
    (argument, at) => [camel(argument.name()), words[at]] as const,
  );
  const switches = command.options.flatMap((option) =>
    option.isBoolean() && !option.negate ? [[option.attributeName(), false] as const] : [],
  );
  return {
    dryRun: false,
    ...Object.fromEntries(switches),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    ...command.opts(),
  };
}

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The exit codes of a command, in words. */
export function exitsOf({ exits, stops }: Pick<Definition, "exits" | "stops">): string {
  const known = typeof exits === "string" ? { 0: exits, 2: `not ${exits}` } : exits;
  const all = { ...known, ...(stops !== undefined && { 130: "stopped by Ctrl-C" }) };
  return `${Object.entries(all)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}.`;
}

/** The lines of a command's examples. One whose output goes on to a program keeps npm's own lines out of it. */
export const examplesOf = ({ examples }: Pick<Definition, "examples">): readonly string[] =>
  examples.map((line) =>
    line
      .replaceAll("\n", "\n  ")
      .replace(/(?<=^|[|(] ?)ops(?= )/g, /[|>(]|--json/.test(line) ? commands.quietOps : commands.ops),
  );

function helpOf(definition: Definition): string {
  const examples = examplesOf(definition).map((line) => `  ${line.replaceAll("\n", "\n  ")}`);
  return [
    ...(definition.about === undefined ? [] : [`\n${definition.about.trim()}`]),
    `\n${examples.length === 1 ? "Example" : "Examples"}:\n${examples.join("\n")}`,
    `\nExit codes: ${exitsOf(definition)}`,
  ].join("\n");
}
