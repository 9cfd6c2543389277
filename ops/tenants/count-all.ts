import type { OperatorStore } from "../store/operator-store.ts";
import { countOwned, countPasses } from "./count-records.ts";
import { countTrades } from "./count-trades.ts";
import type { Watch } from "./read-pages.ts";
import { compareTenants, type Tenant } from "./tenant.ts";

/** The records of every owner, in the order of a listing. */
export async function countAll(store: OperatorStore, watch: Watch, now: number): Promise<readonly Tenant[]> {
  const counted = [
    await countOwned(store, watch),
    await countTrades(store, watch, { now }),
    await countPasses(store, watch),
  ];
  return counted.flat().toSorted(compareTenants);
}
