import { type Command, CommanderError } from "commander";
import { nearestName } from "../lib/http/nearest-name.ts";
import { commands } from "../local/installation.ts";
import { exitCodes, OperatorError } from "../local/process/operator-error.ts";
import { buildProgram } from "./program.ts";
import { enterServiceTime } from "./service-time.ts";
import { wantsCauses } from "./store/store-options.ts";
import { watchingOutput } from "./terminal/standard-output.ts";
import { terminalLines } from "./terminal/terminal-text.ts";

/**
 * Rejects unknown commands. Commander does too, except that `unknown --help` prints the help of the whole program.
 *
 * @returns the command that the words name.
 * @throws {CommanderError} with the nearest command's name, after it was printed.
 */
export function requireCommands(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const word of args) {
    const takesWord = command.commands.length > 0 && command.registeredArguments.length === 0;
    if (!takesWord || word.startsWith("-")) return command;
    if (word === "help") continue;
    const found = command.commands.find((one) => one.name() === word);
    command = found ?? refuse(command, word);
  }
  return command;
}

function refuse(command: Command, word: string): never {
  const kinds = command.commands.filter(takesFile).map((one) => one.name());
  if (/[./\\]/.test(word) && kinds.length > 0) {
    const kind = kinds.find((one) => word.includes(one)) ?? kinds[0];
    return command.error(
      `error: say what the file has: \`${commands.ops} ${command.name()} ${kind} FILE\` (${kinds.join(", ")})`,
    );
  }
  const near = nearestName(
    word,
    command.commands.map((one) => one.name()),
  );
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  return command.error(`error: unknown command '${word}'${hint}`);
}

const takesFile = (command: Command): boolean =>
  command.registeredArguments.some((one) => one.name() === "file");

/** Runs a command line: the words after the program's name. Its exit code is then in `process.exitCode`. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  process.exitCode = await watchingOutput(async () => {
    try {
      const built = await buildProgram(args[0]);
      const isElsewhen = await enterServiceTime(requireCommands(built, args), args);
      // What options have by default may be dated from now.
      const program = isElsewhen ? await buildProgram(args[0]) : built;
      await program.parseAsync(args, { from: "user" });
      return Number(process.exitCode ?? exitCodes.done);
    } catch (error) {
      return conclude(error);
    }
  });
}

/** Prints the one line that says why a command failed, and returns its exit code. */
function conclude(error: unknown): number {
  // Commander has already printed its own line, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.failed;
  // The message of an unexpected error may quote a record, so it is printed only with DEBUG.
  if (error instanceof OperatorError) console.error(terminalLines(error.message));
  else
    console.error(
      `An unexpected error occurred (${nameOf(error)}). Run the command with DEBUG=1 to see its message and stack.`,
    );
  if (wantsCauses()) console.error(error);
  return exitCodes.failed;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
