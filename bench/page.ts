import { contractBrand } from "../lib/brand.ts";
import { systemClock } from "../lib/clock.ts";
import { createDynamoClient } from "../lib/dynamo/client.ts";
import { encodeBody } from "../lib/http/compression.ts";
import type { Content } from "../lib/http/respond.ts";
import { planListTrades } from "../lib/trades/list-trades.ts";
import { comparePlaces } from "../lib/trades/trade.ts";
import type { SegmentSource } from "../lib/trades/trade-reader.ts";
import { TradeStore } from "../lib/trades/trade-store.ts";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { itemPerTrade } from "./peers/item-per-trade.ts";
import { PEER_TABLES } from "./peers/peer-tables.ts";
import { startCannedStore } from "./support/canned-store.ts";
import { cpuOf, timePairs } from "./support/pairs.ts";
import type { SegmentTable } from "./support/segment-table.ts";
import {
  LAST_TRADE_MS,
  market,
  PAGE_TRADES,
  pageOfTrades,
  SYMBOL,
  segmentAnswer,
  segmentTableOf,
  tradeItem,
} from "./support/trade-data.ts";
import { readUnits, sizeOf, type WireItem, writeUnits } from "./support/units.ts";
import { withEnvironment } from "./support/with-environment.ts";

const OUR_TABLE = "our-trades";
const DAY_MS = 86_400_000;
const PEER = "item per trade, document client";
const window = { startMs: LAST_TRADE_MS - DAY_MS, endMs: LAST_TRADE_MS };
const request = {
  path: { symbol: SYMBOL },
  query: { start_date: window.startMs, end_date: window.endMs, limit: PAGE_TRADES },
  principal: { owner: "bench", scopes: [] },
  headers: {},
  rawQuery: "",
};

export const page: Measurement = {
  name: "page",
  about:
    "A page of 1,000 trades of a market with thirty a second, from the query to the sent body. Our packed segments, " +
    "compressed with zstd, are compared with one item for each trade, read through the document client and sent plain. Both " +
    "call a store over TLS on loopback that answers at once from memory in another process, whose time is not counted. " +
    "Units follow DynamoDB's rounding for eventually consistent reads.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  const trades = pageOfTrades();
  const table = await segmentTableOf(trades);
  const stored = table.writeUnits;
  const ourAnswers: Record<string, string> = {};
  let source: SegmentSource = {
    page: async (asked) => {
      const page = await table.page(asked);
      ourAnswers[questionOf(OUR_TABLE, asked.after)] = segmentAnswer(page);
      return page;
    },
  };
  const plan = planListTrades({
    markets: { get: async () => market, similarTo: async () => undefined },
    segments: { page: (asked) => source.page(asked) },
    venue: contractBrand.venue,
    clock: systemClock,
    log: () => {},
  });
  const listPage = async (): Promise<string> => {
    const { answer } = await plan(request);
    const { body } = (await answer()) as Content;
    return body;
  };
  // The plan learns from the first page how full this market's segments are; the measured pages come after it.
  await listPage();
  forget(table, ourAnswers);
  const plain = await listPage();
  const items = trades
    .toSorted((a, b) => comparePlaces(b, a))
    .slice(0, PAGE_TRADES)
    .map(tradeItem);
  const { symbol, sk } = items.at(-1) ?? {};
  const peerAnswer = JSON.stringify({ Items: items, Count: items.length, LastEvaluatedKey: { symbol, sk } });
  await using store = await startCannedStore({
    answers: { ...ourAnswers, [`Query ${PEER_TABLES.trades}`]: peerAnswer },
  });
  return await withEnvironment(store.environment, async () => {
    source = new TradeStore({ client: createDynamoClient(), name: OUR_TABLE });
    const peerPage = itemPerTrade();
    const ours = async () => encodeBody(await listPage(), "zstd");
    const peer = () => peerPage(SYMBOL, window.startMs, window.endMs, PAGE_TRADES);
    requireSamePages(plain, await peer());
    const bodies = [(await ours()).body, await peer()] as const;
    return [
      figureOfPairs(
        { what: "CPU a page", unit: "ms", peerName: PEER, ratioMax: 1 / 3 },
        cpuOf(await timePairs({ ours, peer, pairs: 40, calls: 20, warmUp: 150 })),
      ),
      ...countsOf({ table, unitsPerTrade: stored / trades.length, items, ourAnswers, peerAnswer, bodies }),
    ];
  });
}

function forget(table: SegmentTable, answers: Record<string, string>): void {
  table.resetCounts();
  for (const question of Object.keys(answers)) delete answers[question];
}

interface Measured {
  readonly table: SegmentTable;
  readonly unitsPerTrade: number;
  readonly items: readonly WireItem[];
  readonly ourAnswers: Readonly<Record<string, string>>;
  readonly peerAnswer: string;
  /** Ours is in Base64, as the function passes it to the gateway, which decodes it. */
  readonly bodies: readonly [ours: string, peer: string];
}

/** The figures that do not depend on the machine. */
function countsOf({ table, unitsPerTrade, items, ourAnswers, peerAnswer, bodies }: Measured): Figure[] {
  const count = (what: string, unit: string, own: number, other: number, ratioMax?: number) =>
    figureOfCounts({ what, unit, peerName: PEER, ratioMax }, own, other);
  const itemBytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
  const itemUnits = items.reduce((sum, item) => sum + writeUnits(sizeOf(item)), 0) / items.length;
  const answers = Object.values(ourAnswers);
  const [ours, peer] = [Buffer.from(bodies[0], "base64").length, Buffer.byteLength(bodies[1])];
  return [
    count("read units a page", "units", table.readUnits, readUnits(itemBytes, false), 1 / 7),
    count("queries a page", "queries", answers.length, 1),
    count("write units for 1,000 trades", "units", 1_000 * unitsPerTrade, 1_000 * itemUnits),
    count("bytes to the caller", "bytes", ours, peer, 1 / 5),
    count("bytes from the store", "bytes", answers.join("").length, peerAnswer.length),
  ];
}

/** The name of a query among the canned answers, which differs for each query of a page. */
const questionOf = (table: string, after: Buffer | undefined): string =>
  `Query ${table}${after === undefined ? "" : ` ${after.toString("base64")}`}`;

/** Throws unless both pages show the same trades, member for member, and so took the same work. */
function requireSamePages(ours: string, peers: string): void {
  const recordsOf = (text: string): string =>
    JSON.stringify(
      (JSON.parse(text) as { data: Record<string, unknown>[] }).data.map((record) =>
        Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    );
  if (recordsOf(ours) !== recordsOf(peers)) throw new Error("The two pages do not show the same trades.");
}
