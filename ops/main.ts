import { CommanderError } from "commander";
import { buildProgram } from "./program.ts";
import { wantsCauses } from "./store/store-options.ts";
import { exitCodes, OperatorError } from "./terminal/operator-error.ts";

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Turns whatever ended a command into its one line and its exit code. */
function conclude(error: unknown): number {
  // Commander has printed its own line already, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.failed;
  // What an unforeseen error says may quote the record it met, so it is shown to who asks for it only.
  if (error instanceof OperatorError) console.error(error.message);
  else
    console.error(
      `Something unforeseen went wrong (${nameOf(error)}). Run it with DEBUG=1 to see what and where.`,
    );
  if (wantsCauses()) console.error(error);
  return exitCodes.failed;
}

/** Who reads our output may stop reading, as `| head` does; that is no failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitCodes.done);
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = conclude(error);
}
