import { type Command, InvalidArgumentError, Option } from "commander";
import { commands } from "../../local/installation.ts";
import { dataOption } from "../store/store-options.ts";

/** The options of a command that steers a running `npm start`. */
export interface RunningOptions {
  /** Data directory of the service that runs. */
  readonly data: string;
}

function refuseStage(): never {
  throw new InvalidArgumentError(
    `The demo commands work on an \`${commands.start}\` of this machine, and never on a deployed stage.`,
  );
}

/** Adds the options of {@link RunningOptions} to a command. A stage is refused, and not merely unknown. */
export const addRunningOptions = (command: Command): Command =>
  command
    .addOption(dataOption(`the data directory of the \`${commands.start}\` that runs`))
    .addOption(new Option("--stage <name>").argParser(refuseStage).hideHelp());
