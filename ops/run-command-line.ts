import { CommanderError } from "commander";
import { exitCodes, OperatorError } from "../local/process/operator-error.ts";
import { buildProgram } from "./program.ts";
import { requireCommands } from "./require-commands.ts";
import { wantsCauses } from "./store/store-options.ts";
import { watchingOutput } from "./terminal/standard-output.ts";
import { terminalLines } from "./terminal/terminal-text.ts";

/** Runs a command line: the words after the program's name. Its exit code is then in `process.exitCode`. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  process.exitCode = await watchingOutput(async () => {
    try {
      const program = await buildProgram(args[0]);
      requireCommands(program, args);
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
