import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
import { commands } from "../../local/installation.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { reasonOption } from "../arguments/reason-option.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { audited } from "../audit/record-change.ts";
import { countTenant, eraseTenant, type TenantCounts, totalOf } from "../erase/erase-tenant.ts";
import type { Tenant, TenantKind } from "../erase/tenant.ts";
import { whatStays } from "../erase/what-stays.ts";
import { stopOnInterrupt } from "../import/stop-on-interrupt.ts";
import { inThousands } from "../import/tally.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers, withExistingStore } from "../store/store.ts";
import { addStoreOptions, optionOf, type StoreOptions } from "../store/store-options.ts";
import { confirmedBy, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { exitCodes } from "../terminal/operator-error.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { printTable } from "../terminal/write-table.ts";

const helpOf = (kind: TenantKind): string => `
Erases everything of a ${kind}: its records with their index entries, its credentials, which are revoked first so that
nothing is served meanwhile, the state of its limits, and the journals of its imports. It counts first, and on a terminal
the id has to be typed again. It cannot be undone. At the end it counts again, and says what stays, where and for how long.
Stop the tenant's imports and messages before: what arrives meanwhile is counted at the end, and the same command erases
it. Ctrl-C stops, and the same command goes on.

Examples:
  ${commands.ops} erase ${kind} acme --dry-run
  ${commands.ops} erase ${kind} acme --reason "the contract ended"

Exit codes: 0 erased, 1 something remained, or it was not confirmed, 2 the store failed, 130 stopped by Ctrl-C.`;

const counts = z.object({
  records: z.number(),
  credentials: z.number(),
  limits: z.number(),
  journals: z.number(),
});

const shape = z.object({
  kind: z.enum(["business", "partner", "pass"]),
  id: z.string(),
  dryRun: z.boolean(),
  outcome: z.enum(["done", "stopped"]),
  /** Before the erasure. */
  found: counts,
  /** After it. */
  remaining: counts,
  stays: z.array(z.string()),
});

const none = { records: 0, credentials: 0, limits: 0, journals: 0 };
const example: z.input<typeof shape> = {
  kind: "business",
  id: "acme",
  dryRun: false,
  outcome: "done",
  found: { records: 120, credentials: 1, limits: 1, journals: 2 },
  remaining: none,
  stays: ["The audit keeps the id acme for good, as the proof of the erasure."],
};

interface Options extends StoreOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly reason?: string;
}

/** The results of an erasure. */
interface Erased {
  readonly isStopped: boolean;
  readonly found: TenantCounts;
  readonly remaining: TenantCounts;
}

const NAMES: Readonly<Record<keyof TenantCounts, string>> = {
  records: "records",
  credentials: "credentials",
  limits: "states of limits",
  journals: "items of import journals",
};

const say = (line: string, { json }: Options): void =>
  json === true ? console.error(line) : console.log(line);

function printCounts(title: string, found: TenantCounts, options: Options): void {
  say(title, options);
  if (options.json === true) return;
  const rows = Object.entries(found).map(([name, count]) => [
    NAMES[name as keyof TenantCounts],
    inThousands(count),
  ]);
  printTable({ rows });
}

async function erase(
  store: OperatorStore,
  tenant: Tenant,
  found: TenantCounts,
  options: Options,
): Promise<Erased> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  const onProgress = (count: number) =>
    showProgress(`${inThousands(count)} of ${inThousands(totalOf(found))} erased …`);
  const job = {
    store,
    tenant,
    issuers: stageTokenIssuers(options),
    clock: systemClock,
    stop: stop.signal,
    onProgress,
  };
  try {
    await eraseTenant(job);
    await store.dropDeletedBytes?.();
    return { isStopped: false, found, remaining: await countTenant(store, tenant) };
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return { isStopped: true, found, remaining: await countTenant(store, tenant) };
  } finally {
    showProgress("");
    interrupt.forget();
  }
}

function report(tenant: Tenant, { isStopped, found, remaining }: Erased, options: Options): number {
  const stays = whatStays(tenant, options.stage !== undefined);
  const isRehearsal = options.dryRun === true;
  if (options.json === true) {
    const outcome = isStopped ? "stopped" : "done";
    printJson(shape, { ...tenant, dryRun: isRehearsal, outcome, found, remaining, stays: [...stays] });
  } else {
    const title = isRehearsal
      ? "This was a dry run: nothing was erased."
      : `Erased ${tenant.kind} ${tenant.id}.`;
    if (!isStopped) console.log(title);
    console.log("This stays:");
    for (const line of stays) console.log(`- ${line}`);
  }
  if (isRehearsal) return exitCodes.done;
  if (isStopped) console.error("Stopped. Run the same command again to go on.");
  if (isStopped) return exitCodes.interrupted;
  if (totalOf(remaining) === 0) return exitCodes.done;
  printCounts("This arrived meanwhile and remains. Stop its source, and erase again:", remaining, options);
  return exitCodes.someRefused;
}

async function eraseIn(store: OperatorStore, tenant: Tenant, options: Options): Promise<number> {
  const found = await countTenant(store, tenant);
  printCounts(`${tenant.kind} ${tenant.id} in ${store.name}:`, found, options);
  if (options.dryRun === true) return report(tenant, { isStopped: false, found, remaining: found }, options);
  if (!(await confirmedBy(tenant.id, `Erase ${tenant.kind} ${tenant.id} for good?`, options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const change = {
    command: `erase ${tenant.kind}`,
    target: `${tenant.kind} ${tenant.id}`,
    ...(options.reason !== undefined && { reason: options.reason }),
  };
  const erased = await audited(
    store,
    change,
    () => erase(store, tenant, found, options),
    ({ isStopped }) => ({
      outcome: isStopped ? "stopped" : "done",
      counts: { ...found },
    }),
  );
  return report(tenant, erased, options);
}

function addErase(group: Command, kind: TenantKind, summary: string, what: string): void {
  const command = group.command(kind).description(summary);
  command
    .argument("<id>", what, kind === "pass" ? undefined : optionOf(parseOwnerId))
    .option("--dry-run", "count what would be erased, and change nothing")
    .addOption(yesOption())
    .addOption(reasonOption());
  addJsonOption(addStoreOptions(command), shape, example)
    .addHelpText("after", helpOf(kind))
    .action(async (id: string, options: Options) => {
      if (kind === "pass") requirePartnerReference(id);
      process.exitCode = await withExistingStore(options, (store) => eraseIn(store, { kind, id }, options));
    });
}

/** `erase business`: everything of a business. */
export const eraseBusiness = (group: Command): void =>
  addErase(group, "business", "erase everything of a business", "the business: the `sub` of its tokens");

/** `erase partner`: everything of a ramp partner. */
export const erasePartner = (group: Command): void =>
  addErase(group, "partner", "erase everything of a ramp partner", "the partner: the owner of its API keys");

/** `erase pass`: everything of a pass, of a void one too. */
export const erasePass = (group: Command): void =>
  addErase(group, "pass", "erase everything of a wallet pass", "the pass's partner reference");
