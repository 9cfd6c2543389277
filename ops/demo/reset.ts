import type { Command } from "commander";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { resetRoute } from "../../local/reset/reset-routes.ts";
import { askControl } from "../control/ask-control.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { addRunningOptions, type RunningOptions } from "./running-options.ts";

const HELP = `
The store is then as after a first start at this moment: the demo's records,
dated by today, full rate limits, and every endpoint switched on. Imported
records are removed, and faults are cleared. Credentials stay as they are.

Requests are answered meanwhile; at the end they are held back for less than a
second. A request that takes longer than that gets a 503. The first reset of a
day takes some seconds longer than later ones.

Examples:
  ${commands.ops} demo reset
  ${commands.ops} demo reset --yes

Exit codes: 0 done, 1 it was not confirmed, 2 no \`${commands.start}\` runs on the data
directory.`;

interface Options extends RunningOptions {
  readonly yes?: true;
  readonly json?: true;
}

const QUESTION = (data: string): string =>
  `Remove every record in ${data} that is not of the demo, imported ones too?`;

async function reset(options: Options): Promise<void> {
  if (!(await confirmed(QUESTION(options.data), options))) {
    console.error("Nothing was changed.");
    process.exitCode = exitCodes.someRefused;
    return;
  }
  const report = await askControl(options.data, resetRoute, {});
  if (options.json === true) return printJson(resetRoute.output, report);
  const { written, deleted, tookMs, heldMs } = report;
  console.log(`The store is as after a first start: ${written} rows written, ${deleted} deleted.`);
  console.log(`It took ${tookMs} ms; requests were held back for ${heldMs} ms of them.`);
}

/** `demo reset`: makes the store of the running `npm start` as after a first start. */
export function resetDemo(group: Command): void {
  const command = group
    .command("reset")
    .description("make the store as it is after a first start, without imported records")
    .addOption(yesOption());
  addJsonOption(addRunningOptions(command), resetRoute.output, {
    written: 5_120,
    deleted: 3,
    tookMs: 410,
    heldMs: 12,
  })
    .addHelpText("after", HELP)
    .action(reset);
}
