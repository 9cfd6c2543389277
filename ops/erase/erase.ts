import type { Command } from "commander";
import * as z from "zod/mini";
import { systemClock } from "../../lib/clock.ts";
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
import { stopOnInterrupt } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers, withExistingStore } from "../store/store.ts";
import { optionOf } from "../store/store-options.ts";
import { confirmedBy, yesOption } from "../terminal/ask.ts";
import { addJsonOption, printJson } from "../terminal/json-output.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { printTable } from "../terminal/write-table.ts";
import { isBlockedByOperator } from "./blocks.ts";
import { countTenant, eraseTenant, type TenantCounts, totalOf } from "./erase-tenant.ts";
import { searchKeptMessages } from "./kept-messages.ts";
import { type FoundMessages, type MessageSearch, searchMessages } from "./owned-messages.ts";
import type { Tenant, TenantKind } from "./tenant.ts";
import { whatStays } from "./what-stays.ts";

const helpOf = (kind: TenantKind): string => `
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

/** What an erasure works on. The queues are absent where there are none. */
interface Place {
  readonly store: OperatorStore;
  readonly queues: OperatorQueues | undefined;
  readonly tenant: Tenant;
}

/** The results of an erasure. */
interface Erased {
  readonly isStopped: boolean;
  readonly found: Counts;
  readonly remaining: Counts;
  /** Whether an operator has blocked the tenant's tokens. */
  readonly isBlocked: boolean;
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

/** Counts what a tenant has. Each look at a queue counts as a receipt of its messages, of which SQS allows five. */
async function countAll({ store, queues, tenant }: Place, stop: AbortSignal): Promise<Counts> {
  showProgress(`Counting what ${nameOf(tenant)} has …`);
  const inTables = await runUntil(stop, () => countTenant(store, tenant));
  showProgress("Looking through the messages in the queues …");
  const { found } = await searchAll({ store, queues, tenant }, { tenant, isErasing: false, stop });
  stop.throwIfAborted();
  return { ...inTables, messages: found };
}

/** Searches the queues that there are, and what a service that was stopped has left in a data directory. */
async function searchAll({ store, queues }: Place, search: MessageSearch): Promise<FoundMessages> {
  const { heldData } = store;
  const nothing = { found: 0, remaining: 0 };
  const inQueues = queues === undefined ? nothing : await searchMessages(queues, search);
  const kept = heldData === undefined ? nothing : await searchKeptMessages(heldData, search);
  return { found: inQueues.found + kept.found, remaining: inQueues.remaining + kept.remaining };
}

/** Counts what a tenant has; undefined when Ctrl-C stopped it. Messages that were looked at are given back in any case. */
async function countFirst(place: Place): Promise<Counts | undefined> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  try {
    return await countAll(place, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return undefined;
  } finally {
    showProgress("");
    interrupt.forget();
  }
}

const isBlocked = ({ store, tenant }: Place): Promise<boolean> =>
  isBlockedByOperator(store.table("Credentials"), tenant);

/** Erases until all is gone or Ctrl-C stops it, and counts what remains. */
async function erase(place: Place, found: Counts, options: Options): Promise<Erased> {
  const stop = new AbortController();
  const interrupt = stopOnInterrupt(stop, systemClock, () => console.error("\nStopping …"));
  try {
    const messages = await eraseUntil(stop.signal, place, found, options);
    const isStopped = stop.signal.aborted;
    showProgress("Counting what remains …");
    const remaining = { ...(await countTenant(place.store, place.tenant)), messages };
    return { isStopped, found, remaining, isBlocked: await isBlocked(place) };
  } finally {
    showProgress("");
    interrupt.forget();
  }
}

/** Erases until all is gone or `stop` is aborted. @returns how many messages could not be removed. */
async function eraseUntil(stop: AbortSignal, place: Place, found: Counts, options: Options): Promise<number> {
  const { store, tenant } = place;
  const total = inThousands(totalOf(found));
  const onProgress = (count: number) => showProgress(`${inThousands(count)} of ${total} erased …`);
  const issuers = stageTokenIssuers(options);
  let { messages } = found;
  try {
    // First, so that no worker stores them later.
    messages = (await searchAll(place, { tenant, isErasing: true, stop })).remaining;
    await eraseTenant({ store, tenant, issuers, clock: systemClock, stop, onProgress });
    await store.dropDeletedBytes?.();
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  return messages;
}

function report(tenant: Tenant, erased: Erased, options: Options): number {
  const { isStopped, found, remaining } = erased;
  const stays = whatStays(tenant, { isDeployed: options.stage !== undefined, isBlocked: erased.isBlocked });
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

async function eraseIn(place: Place, options: Options): Promise<number> {
  const { store, tenant } = place;
  const found = await countFirst(place);
  if (found === undefined) {
    console.error("Stopped. Nothing was erased.");
    return exitCodes.interrupted;
  }
  printCounts(`${nameOf(tenant)} in ${store.name}:`, found, options);
  if (options.dryRun === true) {
    const nothing = { isStopped: false, found, remaining: found, isBlocked: await isBlocked(place) };
    return report(tenant, nothing, options);
  }
  if (!(await confirmedBy(tenant.id, `Erase ${nameOf(tenant)} for good?`, options))) {
    console.error("Nothing was changed.");
    return exitCodes.someRefused;
  }
  const change = {
    command: `erase ${tenant.kind}`,
    target: `${tenant.kind} ${tenant.id}`,
    ...(options.reason !== undefined && { reason: options.reason }),
  };
  const work = () => erase(place, found, options);
  const erased = await audited(store, change, work, ({ isStopped }) => ({
    outcome: isStopped ? "stopped" : "done",
    counts: { ...found },
  }));
  return report(tenant, erased, options);
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

function addErase(group: Command, kind: TenantKind, summary: string, what: string): void {
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
