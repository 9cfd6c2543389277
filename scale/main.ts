import { CommanderError } from "commander";
import { StageError } from "../infra/stage.ts";
import { exitCodes } from "../ops/terminal/operator-error.ts";
import { watchingOutput } from "../ops/terminal/standard-output.ts";
import { simulate } from "./program.ts";

process.exitCode = await watchingOutput(async () => {
  try {
    console.log(await simulate(process.argv.slice(2)));
    return exitCodes.done;
  } catch (error) {
    // Commander has already printed its own line, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.failed;
    if (!(error instanceof StageError)) throw error;
    console.error(error.message);
    return exitCodes.failed;
  }
});
