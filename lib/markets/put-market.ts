import { refused, type WriteOutcome } from "../write-outcome.ts";
import { checkMarket } from "./market-document.ts";
import type { MarketRegister } from "./market-register.ts";
import type { MarketStore } from "./market-store.ts";

/**
 * Lists a market, as one JSON document in the shape of `market-document.ts`. A listed market stays as it is, so that
 * documents may come again and in any order: one that gives its asset another name is refused.
 *
 * @param store reads what is stored now: one that remembers may not know a market that was listed a moment ago.
 * @throws {Failure} when the store does not answer.
 */
export async function putMarket(
  register: Pick<MarketRegister, "add">,
  store: Pick<MarketStore, "get">,
  text: string,
): Promise<WriteOutcome> {
  const checked = checkMarket(text);
  if (!checked.ok) return refused(checked.reason);
  const { market, isNamed } = checked.value;
  if (await register.add(market)) return { outcome: "written" };
  const listed = isNamed ? await store.get(market.symbol) : undefined;
  if (listed === undefined || listed.anm === market.anm) return { outcome: "unchanged" };
  return refused("anm must be the name that the market is listed with; `markets put` changes that name");
}
