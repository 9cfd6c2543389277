import { putTrades } from "../lib/trades/put-trades.ts";
import { BUCKET_MS } from "../lib/trades/segment.ts";
import { type PageQuestion, readPage, type SegmentSource } from "../lib/trades/trade-reader.ts";
import { TradeRegister } from "../lib/trades/trade-register.ts";
import { type SegmentQuestion, TradeStore } from "../lib/trades/trade-store.ts";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { benchEngine, startBenchEngine } from "./support/bench-engine.ts";
import { generatedTrades } from "./support/generated-trades.ts";
import { timePairs } from "./support/pairs.ts";
import { readUnits } from "./support/units.ts";

/**
 * The embedded engine takes minutes over ten million trades, so without another engine the largest market is a tenth.
 */
const SIZES = benchEngine === "dynoxide" ? [100_000, 1_000_000, 10_000_000] : [100_000, 1_000_000];
const LIMIT = 1_000;
const RATIO_MAX = 1.3;
/** Newest trade of every market, in the middle of a bucket, and so old that no read has to be strongly consistent. */
const LAST_TRADE_MS = 660 * BUCKET_MS + BUCKET_MS / 2;
const STEP_MS = 33;
const DAY_MS = 86_400_000;
const WRITERS = 3;
/** Bytes of an item beside its payload: names of its attributes, and its keys. */
const OVERHEAD_BYTES = "pkskd".length + 28;

export const growth: Measurement = {
  name: "growth",
  about:
    "A page of 1,000 trades, the first one and one in the middle of the history, in markets of 10^6 and 10^7 trades against " +
    "one of 10^5: wall time of the read, including the engine, and read units by DynamoDB's rounding. The real writer " +
    `stores all trades in one table of ${benchEngine}, and they are read in turns. The engine searches a tree, as any store does; ` +
    "DynamoDB itself was not measured. The figures show that our reads do not grow with the history.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const engine = await startBenchEngine();
  try {
    const store = new TradeStore(engine.table("Trades"));
    for (const size of SIZES) await fill(new TradeRegister(engine.table("Trades")), size);
    const [smallest = 0, ...larger] = SIZES;
    const figures: Figure[] = [];
    for (const size of larger)
      for (const place of ["first", "deep"] as const)
        figures.push(...(await compare(store, place, size, smallest)));
    return figures;
  } finally {
    await engine.close();
  }
}

const symbolOf = (size: number): string => `N${size}-USD`;

/** Writes this many trades into a market of their own, with several writers at a time. */
async function fill(register: TradeRegister, size: number): Promise<void> {
  const chunks = generatedTrades(size, LAST_TRADE_MS);
  const write = async (): Promise<void> => {
    for (const chunk of chunks) await putTrades(register, symbolOf(size), chunk);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

type Place = "first" | "deep";

async function compare(store: TradeStore, place: Place, size: number, smallest: number): Promise<Figure[]> {
  const options = { ours: pageAt(store, place, size), peer: pageAt(store, place, smallest) };
  const timings = await timePairs({ ...options, pairs: 40, calls: 10, warmUp: 100 });
  const units = [await unitsOf(store, place, size), await unitsOf(store, place, smallest)] as const;
  const about = { peerName: `the same in ${smallest.toLocaleString("en-US")} trades`, ratioMax: RATIO_MAX };
  const what = `${place} page of ${size.toLocaleString("en-US")} trades`;
  return [
    figureOfPairs(
      { ...about, what: `${what}: time`, unit: "ms" },
      timings.map(([ours, peer]) => [ours.wallMs, peer.wallMs]),
    ),
    figureOfCounts({ ...about, what: `${what}: read units`, unit: "units" }, ...units),
  ];
}

/** Reads a page and checks that it is full. A deep page ends in the middle of the history. */
function pageAt(source: SegmentSource, place: Place, size: number): () => Promise<void> {
  const endMs = place === "first" ? LAST_TRADE_MS : LAST_TRADE_MS - (size / 2) * STEP_MS;
  const window = { startMs: endMs - DAY_MS, endMs };
  const question: PageQuestion = {
    symbol: symbolOf(size),
    window,
    limit: LIMIT,
    now: LAST_TRADE_MS + DAY_MS,
  };
  return async () => {
    const { rows, next } = await readPage(source, question);
    if (rows.length !== LIMIT || next === undefined) throw new Error("The page is not full.");
  };
}

/** Read units of a page, counted as DynamoDB's documentation counts. */
async function unitsOf(store: TradeStore, place: Place, size: number): Promise<number> {
  let units = 0;
  const counting = {
    page: async (question: SegmentQuestion) => {
      const page = await store.page(question);
      const bytes = page.segments.reduce(
        (sum, { partition, payload }) => sum + partition.length + payload.length + OVERHEAD_BYTES,
        0,
      );
      units += readUnits(bytes, question.isConsistent);
      return page;
    },
  };
  await pageAt(counting, place, size)();
  return units;
}
