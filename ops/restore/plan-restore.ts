import { Argument, type Command } from "commander";
import * as z from "zod/mini";
import { restorableTables } from "../../infra/settings/table-safety.ts";
import { systemClock } from "../../lib/clock.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { commands } from "../../local/installation.ts";
import { readStageFile } from "../store/stage-file.ts";
import { optionOf } from "../store/store-options.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { parseRestoreTime } from "./parse-restore-time.ts";
import { planText } from "./plan-text.ts";
import { nextTableName, planRestore, type Step } from "./restore-plan.ts";

const HELP = `
The command prints the steps and runs none of them: every one is yours to run,
with your AWS credentials. The damaged table stays, as evidence.
RateLimits and Imports have no backups: an empty table of limits limits as well,
and journals of imports end after 35 days.

Examples:
  ${commands.ops} restore plan Transactions --stage prod --to 2026-11-28T09:30:00Z
  ${commands.ops} restore plan Credentials --stage prod --to latest

Exit codes: 0 planned, 2 there is no such stage, table or time.`;

interface Options {
  readonly stage: string;
  readonly to: string;
  readonly as?: string;
  readonly json?: true;
}

const shape = z.object({
  table: z.string(),
  restored: z.string(),
  to: z.string(),
  steps: z.array(z.object({ title: z.string(), remarks: z.array(z.string()), lines: z.array(z.string()) })),
});

const example: z.input<typeof shape> = {
  table: "countinghouse-prod-Transactions",
  restored: "countinghouse-prod-Transactions-r1",
  to: "2026-11-28T09:30:00Z",
  steps: [
    { title: "Restore the table.", remarks: [], lines: ["aws dynamodb restore-table-to-point-in-time …"] },
  ],
};

/** The steps with each command on one line. */
const asJson = (steps: readonly Step[]) =>
  steps.map(({ lines, ...step }) => ({ ...step, lines: lines.map((parts) => parts.join(" ")) }));

function plan(table: TableName, { stage: stageName, to, as, json }: Options): void {
  const stage = readStageFile(stageName);
  const target = as ?? nextTableName(stage, table);
  const steps = planRestore({ stage, table, to, target });
  if (json === true)
    printJson(shape, { table: stage.tables[table], restored: target, to, steps: asJson(steps) });
  else console.log(planText(steps));
}

/** `restore plan`: prints how to restore a table from its backups and let everything use it. */
export function planTableRestore(group: Command): void {
  const command = group
    .command("plan")
    .description("print the exact commands that restore a table, without running one")
    .addArgument(new Argument("<table>", "the table").choices(restorableTables))
    .requiredOption("--stage <name>", "the deployed stage of infra/stages/<name>.json")
    .requiredOption(
      "--to <time>",
      "the last instant whose writes are wanted, such as 2026-11-28T09:30:00Z, or latest",
      optionOf((text) => parseRestoreTime(text, systemClock())),
    )
    .option(
      "--as <name>",
      "the name of the restored table (default: the table's own with -r1, -r2 and so on)",
    );
  addJsonOption(command, shape, example).addHelpText("after", HELP).action(plan);
}
