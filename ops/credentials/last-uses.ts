import type { Credential, CredentialKind } from "../../lib/auth/credential.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { limitKey } from "../../lib/rate-limit/charge.ts";
import { lastUseIn } from "../../lib/rate-limit/last-use.ts";
import { getSellOrder } from "../../lib/sell-orders/contract.ts";
import { listTrades } from "../../lib/trades/contract.ts";

/** The endpoint that takes each kind of credential, and whose limit keeps the last uses. A subject is not a credential. */
const CONTRACTS = {
  "ramp-key": getSellOrder,
  "exchange-key": listTrades,
  jws: getPass,
  certificate: getPass,
  "certificate-name": getPass,
  subject: undefined,
} as const satisfies Record<CredentialKind, unknown>;

/** So many items are read at the same time. */
const AT_ONCE = 50;

/** The first instant (epoch ms) of the day on which each credential was last used, by its id, where that is known. */
export type LastUses = ReadonlyMap<string, number>;

const keyOf = ({ kind, owner }: Credential): string | undefined => {
  const limit = CONTRACTS[kind]?.limit;
  return limit === undefined ? undefined : limitKey(limit.name, owner);
};

/**
 * The last uses of credentials, from the items of the limits that their requests are charged to.
 *
 * @param limits the table of limits.
 */
export async function readLastUses(limits: Table, credentials: readonly Credential[]): Promise<LastUses> {
  const byItem = Map.groupBy(credentials, keyOf);
  const questions = [...byItem].filter((entry): entry is [string, Credential[]] => entry[0] !== undefined);
  const found = new Map<string, number>();
  for (let start = 0; start < questions.length; start += AT_ONCE) {
    const batch = questions.slice(start, start + AT_ONCE).map(async ([k, sharing]) => {
      const item = await readItem(limits, { key: { k } });
      for (const { id } of sharing) {
        const lastUse = lastUseIn(item, id);
        if (lastUse !== undefined) found.set(id, lastUse);
      }
    });
    await Promise.all(batch);
  }
  return found;
}
