import * as z from "zod/mini";
import { runUntil } from "../../lib/deadline.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { parseStoredOwner } from "../arguments/parse-owner-id.ts";
import { requirePartnerReference } from "../arguments/require-partner-reference.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { type Context, defineCommand, type Result, type Shown } from "../command.ts";
import type { OperatorQueues } from "../queue/queue-client.ts";
import { isEndBy } from "../stop-on-interrupt.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { stageTokenIssuers } from "../store/store.ts";
import type { StoreOptions } from "../store/store-options.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { countTenant, eraseTenant, type TenantCounts, totalOf } from "./erase-tenant.ts";
import { isBlockedByOperator } from "./owned-items.ts";
import { searchKeptMessages, searchMessages } from "./owned-messages.ts";
import type { Tenant } from "./tenant.ts";

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

/** Items in tables, and messages in queues. */
type Counts = TenantCounts & { readonly messages: number };

/** Where a tenant is erased. The queues are absent where there are none. */
interface Site extends Pick<Context<unknown>, "progress"> {
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

const tableOf = (found: Counts): Shown => ({
  rows: Object.entries(found).map(([name, count]) => [NAMES[name as keyof Counts], inThousands(count)]),
});

/** Searches the queues that there are, and what a service that was stopped has left in a data directory. */
async function searchAll({ store, queues, tenant }: Site, isErasing: boolean, stop: AbortSignal) {
  const search = { tenant, isErasing, stop };
  const { heldData } = store;
  const nothing = { found: 0, remaining: 0 };
  const inQueues = queues === undefined ? nothing : await searchMessages(queues, search);
  const kept = heldData === undefined ? nothing : await searchKeptMessages(heldData, search);
  return { found: inQueues.found + kept.found, remaining: inQueues.remaining + kept.remaining };
}

/** Counts what a tenant has. Each look at a queue counts as a receipt of its messages, of which SQS allows five. */
async function countAll(site: Site, stop: AbortSignal): Promise<Counts> {
  const { progress } = site;
  progress(`Counting what ${nameOf(site.tenant)} has …`);
  const inTables = await runUntil(stop, () => countTenant(site.store, site.tenant));
  progress("Looking through the messages in the queues …");
  const { found } = await searchAll(site, false, stop);
  stop.throwIfAborted();
  return { ...inTables, messages: found };
}

/** Erases until all is gone or `stop` is aborted, and counts what remains. */
async function erase(site: Site, found: Counts, issuers: readonly string[], stop: AbortSignal) {
  const { store, tenant, progress } = site;
  const total = inThousands(totalOf(found));
  const onProgress = (count: number) => progress(`${inThousands(count)} of ${total} erased …`);
  let { messages } = found;
  try {
    // First, so that no worker stores them later.
    messages = (await searchAll(site, true, stop)).remaining;
    await eraseTenant({ store, tenant, issuers, stop, onProgress });
    await store.dropDeletedBytes?.();
  } catch (error) {
    if (!isEndBy(stop, error)) throw error;
  }
  progress("Counting what remains …");
  return { ...(await countTenant(store, tenant)), messages };
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

type Report = z.input<typeof shape>;

async function run(
  site: Site,
  { dryRun, json, ...given }: StoreOptions & { readonly dryRun: boolean; readonly json: boolean },
  context: Context<Report>,
): Promise<Result<Report>> {
  const { stoppable, isStopped, print } = context;
  const { store, tenant } = site;
  const show = (title: string, found: Counts): void =>
    json ? console.error(title) : print(undefined, [title, tableOf(found)]);
  // After Ctrl-C too, the count first gives the messages that it looked at back to their queues.
  const found = await stoppable((stop) => countAll(site, stop));
  if (found === undefined) return { remark: "Stopped. Nothing was erased." };
  show(`${nameOf(tenant)} in ${store.name}:`, found);
  await context.confirmBy(tenant.id, `Erase ${nameOf(tenant)} for good?`);
  const issuers = stageTokenIssuers(given);
  const eraseAll = async (): Promise<Counts> =>
    (await stoppable((stop) => erase(site, found, issuers, stop))) ?? found;
  const remaining = dryRun
    ? found
    : await context.audited({ target: `${tenant.kind} ${tenant.id}` }, eraseAll, () => ({
        counts: { ...found },
      }));
  const isBlocked = await isBlockedByOperator(store.table("Credentials"), tenant);
  const stays = whatStays(tenant, { isDeployed: given.stage !== undefined, isBlocked });
  const title = dryRun ? "This was a dry run: nothing was erased." : `Erased ${nameOf(tenant)}.`;
  const outcome = isStopped() ? "stopped" : "done";
  print({ ...tenant, dryRun, outcome, found, remaining, stays: [...stays] }, [
    ...(isStopped() ? [] : [title]),
    "This stays:",
    ...stays.map((line) => `- ${terminalText(line)}`),
  ]);
  if (isStopped()) return { remark: "Stopped. Run the same command again to go on." };
  if (dryRun || totalOf(remaining) === 0) return {};
  show("This arrived meanwhile and remains. Stop its source, and erase again:", remaining);
  return { exitCode: exitCodes.someRefused };
}

const eraseCommand = (kind: Tenant["kind"], summary: string, what: string) =>
  defineCommand({
    words: `erase ${kind}`,
    summary,
    about: `
Erases everything of a ${kind}: its records with their index entries, its credentials, which are revoked first so that
nothing is served meanwhile, the state of its limits, the journals of its imports, and its messages in the queues of
records. It counts first, and on a terminal the id has to be typed again. It cannot be undone. At the end it counts
again, and says what stays, where and for how long${
      kind === "business" ? ": a block by `subjects block` does,\nso that a leaked token stays refused" : ""
    }.
Stop the tenant's imports and messages before: what arrives meanwhile is counted at the end, and the same command erases
it. Ctrl-C stops, and the same command goes on.`,
    examples: [`ops erase ${kind} acme --dry-run`, `ops erase ${kind} acme --reason "the contract ended"`],
    exits: { 0: "erased", 1: "something remained, or it was not confirmed", 2: "the store failed" },
    on: "queues",
    takes: {
      "<id>": { text: what, parse: kind === "pass" ? (text: string) => text : parseStoredOwner },
      "--reason <text>": { text: "why, for the audit", parse: parseReason, isUnquoted: true },
    },
    dryRun: "count what would be erased, and change nothing",
    asks: true,
    stops: "Stopping …",
    json: {
      shape,
      example: {
        kind: "business",
        id: "acme",
        dryRun: false,
        outcome: "done",
        found: { records: 120, credentials: 1, limits: 1, journals: 2, messages: 0 },
        remaining: { records: 0, credentials: 0, limits: 0, journals: 0, messages: 0 },
        stays: ["The audit keeps the id acme for good, as the proof of the erasure."],
      },
    },
    async run({ id, ...given }, context) {
      if (kind === "pass") requirePartnerReference(id);
      const { progress } = context;
      const queues = await context.queuesIfAny();
      const store = await context.store();
      return await run({ store, queues, tenant: { kind, id }, progress }, given, context);
    },
  });

/** `erase business`: everything of a business. */
export const eraseBusiness = eraseCommand(
  "business",
  "erase everything of a business",
  "the business: the `sub` of its tokens",
);

/** `erase partner`: everything of a ramp partner. */
export const erasePartner = eraseCommand(
  "partner",
  "erase everything of a ramp partner",
  "the partner: the owner of its API keys",
);

/** `erase pass`: everything of a pass, of a void one too. */
export const erasePass = eraseCommand(
  "pass",
  "erase everything of a wallet pass",
  "the pass's partner reference",
);
