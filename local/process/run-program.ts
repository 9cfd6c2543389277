import { exitCodes } from "./operator-error.ts";
import { StartError } from "./start-error.ts";

/** Ends the process with what its user has to know of an error. */
export function conclude(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(exitCodes.failed);
}

/** Runs a program that serves until it is stopped, and ends the process. */
export async function runProgram(run: () => Promise<void>): Promise<never> {
  // Standard output fails when its terminal is closed before this process has ended.
  process.stdout.on("error", () => {});
  try {
    await run();
    process.exit(0);
  } catch (error) {
    conclude(error);
  }
}
