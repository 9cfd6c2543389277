import type { Command } from "commander";
import * as z from "zod/mini";
import { runUntil } from "../../lib/deadline.ts";
import { commands } from "../../local/installation.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { reasonOption } from "../arguments/reason-option.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { audited } from "../audit/record-change.ts";
import { type OperatorQueues, openQueues, type QueueOptions } from "../queue/queue-client.ts";
import { addQueueOptions } from "../queue/with-queues.ts";
import { unlessStopped, untilInterrupt } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers, withExistingStore } from "../store/store.ts";
import { optionOf } from "../store/store-options.ts";
import { confirmedBy, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { printTable } from "../terminal/write-table.ts";
import { countTenant, eraseTenant, type TenantCounts, totalOf } from "./erase-tenant.ts";
import { isBlockedByOperator } from "./owned-items.ts";
import { searchKeptMessages, searchMessages } from "./owned-messages.ts";
import type { Tenant } from "./tenant.ts";

const helpOf = (kind: Tenant["kind"]): string => `
Erases everything of a ${kind}: its records with their index entries, its credentials, which are revoked first so that
nothing is served meanwhile, the state of its limits, the journals of its imports, and its messages in the queues of records. It counts first, and on a terminal
the id has to be typed again. It cannot be undone. At the end it counts again, and says what stays, where and for how long${
  kind === "business" ? ": a\nblock by `subjects block` does, so that a leaked token stays refused" : ""
}.
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
  messages: z.number(),
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

const none = { records: 0, credentials: 0, limits: 0, journals: 0, messages: 0 };
const example: z.input<typeof shape> = {
  kind: "business",
  id: "acme",
  dryRun: false,
  outcome: "done",
  found: { records: 120, credentials: 1, limits: 1, journals: 2, messages: 0 },
  remaining: none,
  stays: ["The audit keeps the id acme for good, as the proof of the erasure."],
};

interface Options extends QueueOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly reason?: string;
}

/** Items in tables, and messages in queues. */
type Counts = TenantCounts & { readonly messages: number };

/** Where a tenant is erased. The queues are absent where there are none. */
interface Place {
  readonly store: OperatorStore;
  readonly queues: OperatorQueues | undefined;
  readonly tenant: Tenant;
}

const NAMES: Readonly<Record<keyof Counts, string>> = {
  records: "records",
  credentials: "credentials",
  limits: "states of limits",
  journals: "items of import journals",
  messages: "messages in queues",
};

/** The tenant in messages. */
const nameOf = ({ kind, id }: Tenant): string => `${kind} ${terminalText(id)}`;

const say = (line: string, { json }: Options): void =>
  json === true ? console.error(line) : console.log(line);

function printCounts(title: string, found: Counts, options: Options): void {
  say(title, options);
  if (options.json === true) return;
  const rows = Object.entries(found).map(([name, count]) => [
    NAMES[name as keyof Counts],
    inThousands(count),
  ]);
  printTable({ rows });
}

/** Searches the queues that there are, and what a service that was stopped has left in a data directory. */
async function searchAll({ store, queues, tenant }: Place, isErasing: boolean, stop: AbortSignal) {
  const search = { tenant, isErasing, stop };
  const { heldData } = store;
  const nothing = { found: 0, remaining: 0 };
  const inQueues = queues === undefined ? nothing : await searchMessages(queues, search);
  const kept = heldData === undefined ? nothing : await searchKeptMessages(heldData, search);
  return { found: inQueues.found + kept.found, remaining: inQueues.remaining + kept.remaining };
}

/** Counts what a tenant has. Each look at a queue counts as a receipt of its messages, of which SQS allows five. */
async function countAll(place: Place, stop: AbortSignal): Promise<Counts> {
  showProgress(`Counting what ${nameOf(place.tenant)} has …`);
  const inTables = await runUntil(stop, () => countTenant(place.store, place.tenant));
  showProgress("Looking through the messages in the queues …");
  const { found } = await searchAll(place, false, stop);
  stop.throwIfAborted();
  return { ...inTables, messages: found };
}

/** Erases until all is gone or `stop` is aborted, and counts what remains. */
async function erase(place: Place, found: Counts, options: Options, stop: AbortSignal): Promise<Counts> {
  const { store, tenant } = place;
  const total = inThousands(totalOf(found));
  const onProgress = (count: number) => showProgress(`${inThousands(count)} of ${total} erased …`);
  let { messages } = found;
  try {
    // First, so that no worker stores them later.
    messages = (await searchAll(place, true, stop)).remaining;
    await eraseTenant({ store, tenant, issuers: stageTokenIssuers(options), stop, onProgress });
    await store.dropDeletedBytes?.();
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  showProgress("Counting what remains …");
  return { ...(await countTenant(store, tenant)), messages };
}

async function eraseAudited(place: Place, found: Counts, options: Options) {
  const { kind, id } = place.tenant;
  const change = {
    command: `erase ${kind}`,
    target: `${kind} ${id}`,
    ...(options.reason !== undefined && { reason: options.reason }),
  };
  const work = async (stop: AbortSignal) => {
    const remaining = await erase(place, found, options, stop);
    return { remaining, isStopped: stop.aborted };
  };
  return await audited(
    place.store,
    change,
    () => untilInterrupt(work),
    ({ isStopped }) => ({ outcome: isStopped ? "stopped" : "done", counts: { ...found } }),
  );
}

async function eraseIn(place: Place, options: Options): Promise<number> {
  const { store, tenant } = place;
  // Messages that were looked at are given back also after Ctrl-C.
  const found = await untilInterrupt((stop) => countAll(place, stop).catch(unlessStopped(stop)));
  if (found === undefined) {
    console.error("Stopped. Nothing was erased.");
    return exitCodes.interrupted;
  }
  printCounts(`${nameOf(tenant)} in ${store.name}:`, found, options);
  const isRehearsal = options.dryRun === true;
  if (!isRehearsal && !(await confirmedBy(tenant.id, `Erase ${nameOf(tenant)} for good?`, options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const erased = isRehearsal
    ? { remaining: found, isStopped: false }
    : await eraseAudited(place, found, options);
  const isBlocked = await isBlockedByOperator(store.table("Credentials"), tenant);
  const stays = whatStays(tenant, { isDeployed: options.stage !== undefined, isBlocked });
  return report({ ...place, found, ...erased, stays }, options);
}

interface Erased extends Place {
  readonly found: Counts;
  readonly remaining: Counts;
  readonly isStopped: boolean;
  readonly stays: readonly string[];
}

function report({ tenant, found, remaining, isStopped, stays }: Erased, options: Options): number {
  const isRehearsal = options.dryRun === true;
  if (options.json === true) {
    const outcome = isStopped ? "stopped" : "done";
    printJson(shape, { ...tenant, dryRun: isRehearsal, outcome, found, remaining, stays: [...stays] });
  } else {
    const title = isRehearsal ? "This was a dry run: nothing was erased." : `Erased ${nameOf(tenant)}.`;
    if (!isStopped) console.log(title);
    console.log("This stays:");
    for (const line of stays) console.log(`- ${terminalText(line)}`);
  }
  if (isRehearsal) return exitCodes.done;
  if (isStopped) console.error("Stopped. Run the same command again to go on.");
  if (isStopped) return exitCodes.interrupted;
  if (totalOf(remaining) === 0) return exitCodes.done;
  printCounts("This arrived meanwhile and remains. Stop its source, and erase again:", remaining, options);
  return exitCodes.someRefused;
}

/** Where a tenant was erased, and whether an operator had blocked its tokens. */
interface Erasure {
  readonly isDeployed: boolean;
  readonly isBlocked: boolean;
}

/** What an erasure does not reach, and for how long it stays, a sentence each. */
function whatStays({ kind, id }: Tenant, { isDeployed, isBlocked }: Erasure): readonly string[] {
  const everywhere = [
    `The audit keeps the id ${id} for good, as the proof of the erasure.`,
    ...(isBlocked
      ? [`The block of its tokens by an operator stays until \`subjects allow ${id}\` lifts it.`]
      : []),
    ...(kind === "pass"
      ? ["A void pass answers 404 from now on, no longer 410, and its reference can be used again."]
      : []),
    "Messages that a function or a worker holds at the moment stay in their queue for 4 days, in the others for 14 at most: erase again.",
    "Files that were imported, exported or downloaded stay where operators and clients keep them.",
  ];
  const deployed = [
    "Every table but RateLimits and Imports can be restored to any second of the last 35 days.",
    "Backups in a vault stay for as many days as the stage's `backup` says; where it is locked, nobody can delete them earlier.",
    "Logs name ids, never the text of a record, for as many days as `logRetentionDays` and `accessLogRetentionDays` say.",
  ];
  const local = [
    "A running `npm start` remembers its last answers until it ends, demo.json names the demo's own ids and tokens, and `demo reset` stores the demo's records again.",
  ];
  return [...everywhere, ...(isDeployed ? deployed : local)];
}

/** Opens the store and, where there are some, the queues. */
async function eraseFrom(tenant: Tenant, options: Options): Promise<number> {
  const queues = await openQueues(options);
  try {
    return await withExistingStore(options, (store) => eraseIn({ store, queues, tenant }, options));
  } finally {
    queues?.close();
  }
}

function addErase(group: Command, kind: Tenant["kind"], summary: string, what: string): void {
  const command = group.command(kind).description(summary);
  command
    .argument("<id>", what, kind === "pass" ? undefined : optionOf(parseStoredOwner))
    .option("--dry-run", "count what would be erased, and change nothing")
    .addOption(yesOption())
    .addOption(reasonOption());
  addJsonOption(addQueueOptions(command), shape, example)
    .addHelpText("after", helpOf(kind))
    .action(async (id: string, options: Options) => {
      if (kind === "pass") requirePartnerReference(id);
      process.exitCode = await eraseFrom({ kind, id }, options);
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
