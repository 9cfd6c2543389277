import { Argument, type Command } from "commander";
import { tableNameSchema } from "../../infra/settings/table-names.ts";
import { systemClock } from "../../lib/clock.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import { commands } from "../../local/installation.ts";
import { parserOf } from "../../local/option-parsers.ts";
import { parseRestoreTime } from "../restore/parse-restore-time.ts";
import { planText } from "../restore/plan-text.ts";
import { nextTableName, planRestore, restorableTables } from "../restore/restore-plan.ts";
import { readStageFile } from "../store/stage-file.ts";
import { optionOf } from "../store/store-options.ts";

const HELP = `
The command prints the steps and runs none of them: every one is yours to run,
with your AWS credentials. The damaged table stays, as evidence.
RateLimits has no backups, because an empty table limits as well.

Examples:
  ${commands.ops} restore plan Transactions --stage prod --to 2026-11-28T09:30:00Z
  ${commands.ops} restore plan Credentials --stage prod --to latest

Exit codes: 0 planned, 2 there is no such stage, table or time.`;

interface Options {
  readonly stage: string;
  readonly to: string;
  readonly as?: string;
}

function plan(table: TableName, { stage: stageName, to, as }: Options): void {
  const stage = readStageFile(stageName);
  const target = as ?? nextTableName(stage, table);
  console.log(planText(planRestore({ stage, table, to, target })));
}

/** `restore plan`: prints how to restore a table from its backups and let everything use it. */
export function planTableRestore(group: Command): void {
  group
    .command("plan")
    .description("print the exact commands that restore a table, without running one")
    .addArgument(new Argument("<table>", "the table").choices(restorableTables))
    .requiredOption("--stage <name>", "the deployed stage of stages/<name>.json")
    .requiredOption(
      "--to <time>",
      "the last instant whose writes are wanted, such as 2026-11-28T09:30:00Z, or latest",
      optionOf((text) => parseRestoreTime(text, systemClock())),
    )
    .option(
      "--as <name>",
      "the name of the restored table (default: the table's own with -r1, -r2 and so on)",
      parserOf(tableNameSchema),
    )
    .addHelpText("after", HELP)
    .action(plan);
}
