import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes, OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { withExistingStore } from "../store/store.ts";
import { addStoreOptions, type StoreOptions } from "../store/store-options.ts";
import { confirmed, yesOption } from "../terminal/ask.ts";
import { addJsonOption, jsonTime, printJson } from "../terminal/json-output.ts";
import { shownOwner } from "../terminal/shown-owner.ts";
import { printTable } from "../terminal/write-table.ts";
import { countAll } from "./count-all.ts";
import { costQuestion } from "./count-cost.ts";
import { showCount } from "./show-count.ts";
import { type Tenant, tenantKinds } from "./tenant.ts";

const HELP = `
Counts the transactions of each business, the sell orders of each partner, the trades of each market that readers see, and
the passes, with the instant of the newest: the latest change, or of a market the latest trade. The counts are exact for
everything that was stored before the command began. It reads the tables whole; before it reads more than 4 GiB of a
stage it says what that costs, and asks.

Examples:
  ${commands.ops} tenants list
  ${commands.quietOps} tenants list --json | jq '.[] | select(.owner == "acme")'

Exit codes: 0 listed, 1 some trades cannot be read, 2 not listed, 130 stopped by Ctrl-C.`;

const tenantsShape = z.array(
  z.object({
    kind: z.enum(tenantKinds),
    owner: z.nullable(z.string()),
    records: z.number(),
    newest: z.nullable(jsonTime),
    damagedSegments: z.optional(z.number()),
  }),
);

const EXAMPLE = [
  { kind: "business", owner: "acme", records: 12_345, newest: "2026-11-28T09:30:00.000000Z" },
  { kind: "market", owner: "BTC-USD", records: 1_204_511, newest: "2026-11-28T09:31:07.120Z" },
  { kind: "passes", owner: null, records: 88, newest: null },
] as const;

interface Options extends StoreOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** The records of every owner; undefined after a Ctrl-C. */
async function count(store: OperatorStore): Promise<readonly Tenant[] | undefined> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => {});
  const progress = showCount(systemClock);
  const watch = { onRead: progress.add, stop: stop.signal };
  try {
    return await countAll(store, watch, systemClock());
  } catch (error) {
    if (interrupt.happened()) return undefined;
    throw error;
  } finally {
    progress.end();
    interrupt.forget();
  }
}

const asJson = ({ owner, newest, ...others }: Tenant) => ({
  ...others,
  owner: owner ?? null,
  newest: newest ?? null,
});

function print(tenants: readonly Tenant[]): void {
  if (tenants.length === 0) {
    console.log("There are no records.");
    return;
  }
  const rows = tenants.map(({ kind, owner = "-", records, newest = "-" }) => [
    kind,
    shownOwner(owner),
    { text: inThousands(records), isFigure: true },
    newest,
  ]);
  printTable({ head: ["KIND", "OWNER", { text: "RECORDS", isFigure: true }, "NEWEST"], rows });
}

/** Says which trades are missing from the counts. */
function tellDamage(tenants: readonly Tenant[]): void {
  for (const { owner, damagedSegments = 0 } of tenants) {
    if (damagedSegments === 0) continue;
    console.error(
      `${owner}: ${inThousands(damagedSegments)} segments of trades cannot be read, and are not counted. See \`segments check ${owner}\`.`,
    );
    process.exitCode = exitCodes.someRefused;
  }
}

async function list(options: Options): Promise<void> {
  await withExistingStore(options, async (store) => {
    const question = await costQuestion(store);
    if (question !== undefined && !(await confirmed(question, options)))
      throw new OperatorError("Nothing was counted.");
    const tenants = await count(store);
    if (tenants === undefined) {
      console.error("Stopped: nothing is listed, because the counts are not complete.");
      process.exitCode = exitCodes.interrupted;
      return;
    }
    if (options.json === true) printJson(tenantsShape, tenants.map(asJson));
    else print(tenants);
    tellDamage(tenants);
  });
}

/** `tenants list`: whose records are stored, and how many. */
export function listTenants(group: Command): void {
  const command = group
    .command("list")
    .description("count the records of each owner, with the newest change")
    .addOption(yesOption());
  addJsonOption(addStoreOptions(command), tenantsShape, [...EXAMPLE])
    .addHelpText("after", HELP)
    .action(list);
}
