import { setTimeout as pause } from "node:timers/promises";
import { subjectId } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { writeBatches } from "../../lib/dynamo/batch-write.ts";
import type { Item } from "../../lib/dynamo/item.ts";
import { retryStore } from "../../lib/dynamo/retry-store.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { ImportRegister } from "../import/journal/import-register.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { allOf } from "../undo/all-of.ts";
import { erasureBlock, type Place, partsWithPass, placesIn } from "./owned-items.ts";
import type { Tenant } from "./tenant.ts";

/** Items of a tenant, by their places. Journals of passes are shared, so of a pass its entries in them are counted. */
export type TenantCounts = Readonly<Record<Place["name"], number>>;

/** Erasing one tenant. */
export interface ErasureJob {
  readonly store: OperatorStore;
  readonly tenant: Tenant;
  /** The issuers whose tokens the stage accepts: a business is blocked while it is erased. */
  readonly issuers: readonly string[];
  readonly stop: AbortSignal;
  /** Called with the number of items that are erased so far. */
  readonly onProgress: (count: number) => void;
}

const BATCH = 25;
/** So many items are gathered before their batches are sent. */
const GATHERED = 32 * BATCH;

/** Counts a tenant's items. */
export async function countTenant(store: OperatorStore, tenant: Tenant): Promise<TenantCounts> {
  const counts = { records: 0, credentials: 0, limits: 0, journals: 0 };
  for (const { name, keys } of placesIn(store, tenant)) for await (const _ of keys) counts[name] += 1;
  if (tenant.kind === "pass")
    for await (const { part, others } of partsWithPass(registerIn(store), tenant.id))
      counts.journals += part.entries.length - others.length;
  return counts;
}

const registerIn = ({ table }: OperatorStore) => new ImportRegister(table("Imports"));

/** Sums up what is counted. */
export const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * Erases a tenant from the tables: first its credentials are revoked, so that nothing is served meanwhile, then every
 * item goes, the credentials last. Stopped or failed, it may be repeated and goes on.
 *
 * @throws {Failure} when the store does not answer, or the reason of `stop` once that is aborted.
 */
export async function eraseTenant(job: ErasureJob): Promise<void> {
  const { store, tenant, stop } = job;
  stop.throwIfAborted();
  await shutOut(job);
  let erased = 0;
  for (const place of placesIn(store, tenant)) {
    for await (const keys of gathered(place.keys)) {
      stop.throwIfAborted();
      await retryStore(() => removeAll(place, keys), stop);
      erased += keys.length;
      job.onProgress(erased);
    }
  }
  if (tenant.kind === "pass") await retryStore(() => removePassEntries(store, tenant.id), stop);
}

/** Revokes the tenant's credentials, and blocks the tokens of a business. */
async function shutOut({ store, tenant, issuers }: ErasureJob): Promise<void> {
  const register = new CredentialRegister(store.table("Credentials"));
  const now = systemClock();
  const block = { kind: "subject", owner: tenant.id, scopes: [], createdAt: now, revokedAt: now } as const;
  if (tenant.kind === "business")
    for (const issuer of issuers)
      await register.add({ ...block, id: subjectId(issuer, tenant.id) }, erasureBlock);
  for (const { name, keys } of placesIn(store, tenant))
    if (name === "credentials") for await (const key of keys) await register.revoke(key.id?.S ?? "", now);
}

async function removeAll({ table }: Place, keys: readonly Item[]): Promise<void> {
  const starts = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, at) => at * BATCH);
  await allOf(starts, (start) =>
    writeBatches(
      { table, pause },
      keys.slice(start, start + BATCH).map((Key) => ({ DeleteRequest: { Key: { ...Key } } })),
    ),
  );
}

/** Takes the entries of a pass out of the journals of imports; those of other passes stay. */
async function removePassEntries(store: OperatorStore, reference: string): Promise<void> {
  const register = registerIn(store);
  for await (const { head, part, others } of partsWithPass(register, reference))
    await register.replacePart(head, part.number, others);
}

/** Keys in groups. A group is removed once all of it is read, and the reading then goes on after its last key. */
async function* gathered(keys: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let group: Item[] = [];
  for await (const key of keys) {
    group.push(key);
    if (group.length < GATHERED) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
