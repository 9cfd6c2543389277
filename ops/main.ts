import { runCommandLine } from "./run-command-line.ts";
import { exitCodes } from "./terminal/operator-error.ts";

/** The reader of our output may stop early, as `| head` does; that is not a failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitCodes.done);
});

await runCommandLine(process.argv.slice(2));
