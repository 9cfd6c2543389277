import { endpoints } from "../../infra/endpoints.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { readPage } from "../../lib/trades/trade-reader.ts";
import type { UnitKind } from "../../local/store/behaviour/partitions.ts";
import type { Figure } from "../figure.ts";
import type { Results } from "../results.ts";
import { LAST_TRADE_MS, PAGE_TRADES, pageOfTrades, SYMBOL, segmentTableOf } from "../support/trade-data.ts";
import { type Usage, usagesOf } from "../usage.ts";

/** How the traffic of one key lies in its table, which decides whether DynamoDB can split it for heat. */
export type Place =
  /** All calls touch the same item, which is in one partition whatever happens. */
  | "one item"
  /** Calls touch items all over the key's range, which can be split among partitions. */
  | "spread"
  /** Calls touch the newest items of the key's range. They move on before a split could help. */
  | "newest items";

/** What a call does in one table. */
export interface Access {
  readonly table: TableName;
  readonly index?: string;
  readonly kind: UnitKind;
  readonly units: number;
  /** Whose calls meet at one key of the table. */
  readonly meets: "an owner" | "a market" | "a record";
  readonly place: Place;
}

/** A kind of call, and everything of it that can meet a wall. */
export interface Workload {
  /** The endpoint's name, and what of it the call asks for. */
  readonly call: string;
  readonly contract: Pick<EndpointContract, "name" | "method" | "route" | "limit">;
  /** Tokens that the call is charged. */
  readonly tokens: number;
  readonly usage: Usage;
  readonly accesses: readonly Access[];
  /** Items of Settings that each environment reads again every five seconds. */
  readonly settingsItems: number;
}

const record = (table: TableName, meets: Access["meets"], place: Place): Access => ({
  table,
  kind: "Read",
  units: 1,
  meets,
  place,
});

const subject = record("Credentials", "an owner", "one item");
const limit = (units: number): Access => ({
  ...record("RateLimits", "an owner", "one item"),
  kind: "Write",
  units,
});

/** The age of a page's newest trade from which none of its reads has to be strong. */
const OLD_MS = 3_600_000;

interface Kind {
  readonly call: string;
  readonly name: string;
  readonly billedAs: string;
  readonly accesses: readonly Access[];
}

const pageKind = (call: string, units: number, place: Place): Kind => ({
  call,
  name: "list-trades",
  billedAs: "list-trades, 1,000 trades",
  accesses: [{ ...record("Trades", "a market", place), units }],
});

/** The kinds of calls. The units of records are those of `docs/data-model.md`; those of pages are counted. */
async function kindsOf(): Promise<readonly Kind[]> {
  const list: Access = {
    ...record("Transactions", "an owner", "newest items"),
    index: "by-created",
    units: 7.5,
  };
  const point = (name: string, billedAs: string, ...accesses: readonly Access[]): Kind => ({
    call: billedAs,
    name,
    billedAs,
    accesses,
  });
  return [
    point("get-transaction", "get-transaction", subject, record("Transactions", "an owner", "spread")),
    point("list-transactions", "list-transactions, 100 records", subject, list),
    point("get-pass", "get-pass, 304", subject, record("Passes", "a record", "one item")),
    point("get-sell-order", "get-sell-order", record("SellOrders", "an owner", "spread")),
    pageKind("list-trades, newest 1,000 trades", await pageUnits(0), "newest items"),
    pageKind("list-trades, 1,000 older trades", await pageUnits(OLD_MS), "spread"),
  ];
}

/**
 * Every kind of call, by the last measurements. A call for trades asks for a window of one day, which costs a token.
 *
 * @throws {Error} when a measurement is missing.
 */
export async function workloadsOf(results: Results): Promise<readonly Workload[]> {
  const usages = usagesOf(results).filter(({ way }) => way === "ours");
  const writes = figureOf(results, "rate-limit", "1 patient caller: writes a decision").ours.median;
  return (await kindsOf()).map(({ call, name, billedAs, accesses }) => {
    const contract = endpoints.find((endpoint) => endpoint.contract.name === name)?.contract;
    const usage = usages.find(({ endpoint }) => endpoint === billedAs);
    if (contract === undefined || usage === undefined) throw new Error(`${call} has no bill.`);
    return {
      call,
      contract,
      tokens: 1,
      // The bill's own reads would be those of older trades.
      usage: { ...usage, readUnits: unitsOf(accesses) },
      accesses: [...accesses, limit(writes)],
      settingsItems: name === "list-trades" ? 3 : 1,
    };
  });
}

/** A figure of a measurement. @throws {Error} when it was not measured. */
export function figureOf(results: Results, measurement: string, what: string): Figure {
  const found = results[measurement]?.figures.find((one) => one.what === what);
  if (found === undefined) throw new Error(`${what} was not measured: run \`npm run bench\` first.`);
  return found;
}

const unitsOf = (accesses: readonly Access[]): number => accesses.reduce((sum, { units }) => sum + units, 0);

const DAY_MS = 86_400_000;

/**
 * Read units of a page, as the real reader reads it from segments that the real writer wrote, counted as DynamoDB's
 * documentation counts. Trades of the last 30 seconds are read with strong consistency, at twice the units.
 *
 * @param ageMs how long before the page is read its newest trade was made.
 */
async function pageUnits(ageMs: number): Promise<number> {
  const table = await segmentTableOf(pageOfTrades());
  const window = { startMs: LAST_TRADE_MS - DAY_MS, endMs: LAST_TRADE_MS };
  const question = { symbol: SYMBOL, window, limit: PAGE_TRADES, now: LAST_TRADE_MS + ageMs };
  const { next } = await readPage(table, question);
  if (next === undefined) throw new Error("The page is not full.");
  return table.readUnits;
}
