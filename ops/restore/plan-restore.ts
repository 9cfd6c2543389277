import * as z from "zod/mini";
import { restorableTables } from "../../infra/settings/table-safety.ts";
import { systemClock } from "../../lib/clock.ts";
import { parseInstant, utcText } from "../../lib/instant.ts";
import { defineCommand } from "../command.ts";
import { readStageFile } from "../store/stage-file.ts";
import { nextTableName, planRestore, planText } from "./restore-plan.ts";

const DAY_S = 86_400;
/** How far back point-in-time recovery reaches (DynamoDB's guide). */
const BACKUP_DAYS = 35;

/**
 * An instant to which a table can be restored, as ISO 8601 in UTC with whole seconds; `latest` stays as it is.
 *
 * @throws {RangeError} with a message for the operator, when the text is not an instant, or lies outside of the backups.
 */
export function parseRestoreTime(text: string, now: number): string {
  if (text === "latest") return text;
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError("Give an instant such as 2026-11-28T09:30:00Z, or latest.");
  const ageS = now / 1_000 - instant.seconds;
  if (ageS <= 0) throw new RangeError("It must lie in the past.");
  if (ageS > BACKUP_DAYS * DAY_S)
    throw new RangeError(`Point-in-time recovery reaches back ${BACKUP_DAYS} days. Use a backup in a vault.`);
  return utcText({ ...instant, fraction: "" });
}

/** `restore plan`: prints how to restore a table from its backups and let everything use it. */
export const planTableRestore = defineCommand({
  words: "restore plan",
  summary: "print the exact commands that restore a table, without running one",
  about: `The command prints the steps and runs none of them: every one is yours to run,
with your AWS credentials. The damaged table stays, as evidence.
RateLimits and Imports have no backups: an empty table of limits limits as well,
and journals of imports end after 35 days.`,
  examples: [
    "ops restore plan Transactions --stage prod --to 2026-11-28T09:30:00Z",
    "ops restore plan Credentials --stage prod --to latest",
  ],
  exits: { 0: "planned", 2: "there is no such stage, table or time" },
  on: "nothing",
  takes: {
    "<table>": { text: "the table", choices: restorableTables },
    "--stage <name>": { text: "the deployed stage of infra/stages/<name>.json", required: true },
    "--to <time>": {
      text: "the last instant whose writes are wanted, such as 2026-11-28T09:30:00Z, or latest",
      parse: (text) => parseRestoreTime(text, systemClock()),
      required: true,
    },
    "--as <name>": "the name of the restored table (default: the table's own with -r1, -r2 and so on)",
  },
  json: {
    shape: z.object({
      table: z.string(),
      restored: z.string(),
      to: z.string(),
      steps: z.array(
        z.object({ title: z.string(), remarks: z.array(z.string()), lines: z.array(z.string()) }),
      ),
    }),
    example: {
      table: "countinghouse-prod-Transactions",
      restored: "countinghouse-prod-Transactions-r1",
      to: "2026-11-28T09:30:00Z",
      steps: [
        {
          title: "Restore the table.",
          remarks: [],
          lines: ["aws dynamodb restore-table-to-point-in-time …"],
        },
      ],
    },
  },
  run({ table, stage: stageName, to, as }) {
    const stage = readStageFile(stageName);
    const target = as ?? nextTableName(stage, table);
    const plan = planRestore({ stage, table, to, target });
    // Each command on one line.
    const steps = plan.map(({ lines, ...step }) => ({
      ...step,
      lines: lines.map((parts) => parts.join(" ")),
    }));
    return { json: { table: stage.tables[table], restored: target, to, steps }, text: planText(plan) };
  },
});
