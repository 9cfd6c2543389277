import { CommanderError } from "commander";
import { StageError } from "../infra/stage.ts";
import { simulate } from "./program.ts";

/** As of `npm run ops`: the command could not do its work. */
const FAILED = 2;

/** The reader of our output may stop early, as `| head` does; that is not a failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  console.log(await simulate(process.argv.slice(2)));
} catch (error) {
  // Commander has already printed its own line, or the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : FAILED;
  else if (error instanceof StageError) {
    console.error(error.message);
    process.exitCode = FAILED;
  } else throw error;
}
