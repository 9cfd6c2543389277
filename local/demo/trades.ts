import { type DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../lib/clock.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import { tablesOf } from "../../lib/dynamo/table.ts";
import { physicalTableName } from "../../lib/dynamo/tables.ts";
import { marketOf } from "../../lib/markets/market.ts";
import { MarketRegister } from "../../lib/markets/market-register.ts";
import { MARKET_LIST_ID } from "../../lib/markets/market-store.ts";
import { putTrades } from "../../lib/trades/put-trades.ts";
import type { Trade } from "../../lib/trades/trade.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import type { OwnStore } from "../store/engine.ts";
import type { FirstTrades } from "./first-trades.ts";
import { markerIds } from "./marker-ids.ts";
import { busyTrades, DEMO_SPAN_MS, demoMarkets, type Period, sparseTrades } from "./trade-plan.ts";

/** Trades that are written together. */
const BATCH_TRADES = 4_000;
const BATCHES_AT_ONCE = 4;

export interface DemoTradesParts {
  readonly client: DynamoDBClient;
  readonly stage: string;
  readonly clock: Clock;
  /** The trades of the busy market in a period; all of the demo's unless given. */
  readonly busy?: (period: Period) => Trade[];
  /** Trades that are packed already, and how to write them, for tables in which nothing has been written yet. */
  readonly first?: { readonly trades: FirstTrades; readonly fill: OwnStore["fill"] } | undefined;
}

/** Until when the store has the demo's trades; undefined when it has none, or not all of a first start. */
async function readMarker({ client, stage }: DemoTradesParts): Promise<number | undefined> {
  const TableName = physicalTableName(stage, "Settings");
  const Key = { id: { S: markerIds.trades } };
  const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.until_ms?.N === undefined ? undefined : Number(Item.until_ms.N);
}

async function writeMarker({ client, stage }: DemoTradesParts, untilMs: number): Promise<void> {
  const TableName = physicalTableName(stage, "Settings");
  const Item = { id: { S: markerIds.trades }, until_ms: { N: String(untilMs) } };
  await client.send(new PutItemCommand({ TableName, Item }));
}

async function writeAll(store: TradeRegister, symbol: string, trades: readonly Trade[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(trades.length / BATCH_TRADES) }, (_, n) =>
    trades.slice(n * BATCH_TRADES, (n + 1) * BATCH_TRADES),
  );
  const write = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      await putTrades(store, symbol, batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, write));
}

/** Writes the trades of a first start, and returns until when they go. */
async function writeFirst(
  parts: DemoTradesParts,
  { trades, fill }: NonNullable<DemoTradesParts["first"]>,
): Promise<number> {
  const table = physicalTableName(parts.stage, "Trades");
  for await (const items of trades.parts()) await fill(table, items);
  await writeMarker(parts, trades.untilMs);
  return trades.untilMs;
}

/** Lists the demo's markets, if they are not on the list yet. */
export async function listDemoMarkets(parts: Pick<DemoTradesParts, "client" | "stage">): Promise<void> {
  const settings = tablesOf(parts.client, parts.stage)("Settings");
  const list = await readItem(settings, { key: { id: MARKET_LIST_ID } });
  const missing = Object.values(demoMarkets).filter((symbol) => list?.symbols?.SS?.includes(symbol) !== true);
  const register = new MarketRegister(settings);
  await Promise.all(missing.map((symbol) => register.add(marketOf(symbol))));
}

/**
 * Lists the demo's markets and writes their trades: at a first start those of the last 60 days, later the ones since the
 * start before. What is written twice is the same twice, so an interrupted start is made good by the next.
 */
export async function continueDemoTrades(parts: DemoTradesParts): Promise<void> {
  const { client, stage, clock, busy = busyTrades, first } = parts;
  await listDemoMarkets(parts);
  const store = new TradeRegister(tablesOf(client, stage)("Trades"));
  const writtenMs = first === undefined ? await readMarker(parts) : await writeFirst(parts, first);
  const now = clock();
  const period: Period = { fromMs: Math.max(now - DEMO_SPAN_MS, writtenMs ?? 0), toMs: now };
  await writeAll(store, demoMarkets.busy, busy(period));
  await writeAll(store, demoMarkets.sparse, sparseTrades(period));
  await writeMarker(parts, now);
}
