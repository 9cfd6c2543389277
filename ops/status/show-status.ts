import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import type { Tint } from "../../local/terminal/tint.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { costQuestion } from "../tenants/count-cost.ts";
import { showCount } from "../tenants/show-count.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { instantText, printTable } from "../terminal/write-table.ts";
import { readStatus } from "./status.ts";
import { type StatusState, stateOf, statusExample, statusJson, statusShape } from "./status-json.ts";
import { type StatusLine, type StatusMark, statusLines } from "./status-lines.ts";

const HELP = `
Shows on one screen what needs somebody: alarms that ring, endpoints that are switched off (with who, when and why, where
that is kept), credentials that end within 30 days or ended within the last 7 and have no successor that lives longer, blocked
subjects, queues and records. A part that cannot be looked at is a line that says why. Of a deployed stage, records are shown as DynamoDB last
counted each table, some hours ago; --count counts them by owner, as \`tenants list\` does, there and on a laptop.

The marks: ok, look (somebody should), not known (it could not be looked at).

Examples:
  ${commands.ops} status
  ${commands.ops} status --stage prod
  ${commands.quietOps} status --json | jq -r .state

Exit codes: 0 all is well, 1 something needs somebody, 2 something could not be looked at, and nothing else needs somebody.`;

interface Options extends StoreOptions {
  readonly count?: true;
  readonly yes?: true;
  readonly json?: true;
}

const TINTS: Readonly<Record<StatusMark, Tint>> = { ok: "good", look: "bad", "not known": "warn" };

const EXIT_CODES: Readonly<Record<StatusState, number>> = {
  well: exitCodes.done,
  attention: exitCodes.someRefused,
  unknown: exitCodes.failed,
};

function print(lines: readonly StatusLine[], title: string): void {
  console.log(title);
  printTable({
    rows: lines.map(({ part, mark, text }) => [{ text: mark, tint: TINTS[mark] }, part, text]),
  });
}

async function show(options: Options): Promise<void> {
  await withExistingStore(options, async (store) => {
    const question = options.count ? await costQuestion(store) : undefined;
    if (question !== undefined && !(await confirmed(question, options)))
      throw new OperatorError("Nothing was counted.");
    const now = systemClock();
    const progress = showCount(systemClock);
    const counting = { onRead: progress.add, stop: new AbortController().signal };
    const status = await readStatus({ store, options, ...(options.count && { counting }), now });
    progress.end();
    const lines = statusLines(status, now);
    if (options.json === true) printJson(statusShape, statusJson(status, { store: store.name, now, lines }));
    else print(lines, `${store.name} at ${instantText(now)}`);
    process.exitCode = EXIT_CODES[stateOf(lines)];
  });
}

/** `status`: what needs somebody now. */
export function showStatus(program: Command): void {
  const command = program
    .command("status")
    .description("show on one screen what needs somebody: alarms, switches, credentials, queues")
    .option("--count", "count the records of each owner, which reads the tables whole")
    .addOption(yesOption());
  addJsonOption(addStoreOptions(command), statusShape, statusExample).addHelpText("after", HELP).action(show);
}
