import { parentPort, workerData } from "node:worker_threads";
import { packSegment } from "../../lib/trades/pack-segment.ts";
import { cutSegments, FIRST_REVISION } from "../../lib/trades/segment.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import type { WireItem } from "../store/behaviour/touched-items.ts";
import type { FirstTradesMessage, FirstTradesSettings } from "./first-trades.ts";
import { busyTrades, DEMO_SPAN_MS, demoMarkets, sparseTrades } from "./trade-plan.ts";

/** A thread that packs the trades of a first start, and sends each part as soon as it has it. */

/** Trades that are sent together. */
const PART_TRADES = 4_000;

const { untilMs } = workerData as FirstTradesSettings;
const send = (message: FirstTradesMessage): void => parentPort?.postMessage(message);

function* packed(): Generator<readonly WireItem[]> {
  const period = { fromMs: untilMs - DEMO_SPAN_MS, toMs: untilMs };
  for (const [symbol, tradesOf] of [
    [demoMarkets.busy, busyTrades],
    [demoMarkets.sparse, sparseTrades],
  ] as const) {
    const trades = tradesOf(period);
    for (let at = 0; at < trades.length; at += PART_TRADES) {
      const segments = cutSegments(trades.slice(at, at + PART_TRADES), FIRST_REVISION);
      yield segments.map((segment) => itemOf(packSegment(symbol, segment)));
    }
  }
}

const itemOf = ({ partition, sort, payload }: StoredSegment): WireItem => ({
  pk: { S: partition },
  sk: { B: sort.toString("base64") },
  d: { B: payload.toString("base64") },
});

for (const part of packed()) send(part);
send("all");
