import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Countinghouse, type TradeProgress } from "../client/src/index.ts";
import { contractBrand } from "../lib/brand.ts";
import { tablesOf } from "../lib/dynamo/table.ts";
import { marketOf } from "../lib/markets/market.ts";
import { MarketRegister } from "../lib/markets/market-register.ts";
import { putTrades } from "../lib/trades/put-trades.ts";
import type { Trade } from "../lib/trades/trade.ts";
import { TradeRegister } from "../lib/trades/trade-register.ts";
import type { DemoFile, ExchangeSection } from "../local/demo/demo-file.ts";
import { LOCAL_STAGE } from "../local/local-stage.ts";
import { signRequest } from "../ops/signing/sign-request.ts";
import type { Engine } from "../test/support/engine.ts";
import { type Figure, figureOfCounts, figureOfPairs, type Measurement } from "./figure.ts";
import { startBenchService } from "./support/bench-service.ts";
import { generatedTrades } from "./support/generated-trades.ts";

const SYMBOL = "WALK-USD";
const TRADES = 1_000_000;
const DAYS = 30;
const SPAN_MS = DAYS * 86_400_000;
/** Trades come in bursts, as an order takes one offer after the other. */
const BURST_TRADES = 20;
const WITHIN_BURST_MS = 50;
const SECONDS_MAX = 60;
/** The minute's bucket, which is what a long walk waits for: its tokens when full, and the time of one. */
const MINUTE_TOKENS = 1_000;
const TOKEN_S = 0.06;

export const client: Measurement = {
  name: "client",
  about:
    "A million trades of 30 days, walked through by the client from the service of `npm start`, which shares the machine's " +
    "cores with it. The floor sends the same requests once more, by `fetch` and `JSON.parse` alone. The plain loop is one " +
    "window of 30 days and its cursor: its pages are as many as a full window has, and its tokens and waits are computed, " +
    "because it would take a quarter of an hour.",
  run: measure,
};

async function measure(): Promise<readonly Figure[]> {
  await using running = new AsyncDisposableStack();
  const { engine, demo } = await startBenchService(running);
  const endMs = Date.now();
  await fill(engine, endMs);
  const walked = await walk(demo, endMs);
  const floorS = await repeat(demo.exchange, walked.urls);
  return figuresOf(walked, floorS);
}

interface Walked {
  readonly seconds: number;
  readonly progress: TradeProgress;
  /** The requests that were sent, in their order. */
  readonly urls: readonly string[];
}

/** Lists the market and writes its trades, with several writers at a time. */
async function fill({ client: dynamo }: Engine, endMs: number): Promise<void> {
  const table = tablesOf(dynamo, LOCAL_STAGE);
  await new MarketRegister(table("Settings")).add(marketOf(SYMBOL));
  const register = new TradeRegister(table("Trades"));
  const chunks = spreadTrades(endMs);
  const write = async (): Promise<void> => {
    for (const chunk of chunks) await putTrades(register, SYMBOL, chunk);
  };
  await Promise.all([write(), write(), write()]);
}

/** Trades of a busy market in bursts over the whole span, newest first. */
function* spreadTrades(endMs: number): Generator<Trade[]> {
  const burstMs = (SPAN_MS * BURST_TRADES) / TRADES;
  let done = 0;
  for (const chunk of generatedTrades(TRADES, endMs)) {
    yield chunk.map((trade) => {
      const burst = Math.floor(done / BURST_TRADES);
      const tradedAt = Math.floor(endMs - burst * burstMs - (done % BURST_TRADES) * WITHIN_BURST_MS);
      done += 1;
      return { ...trade, tradedAt, publishedAt: tradedAt };
    });
  }
}

async function walk({ baseUrl, exchange }: DemoFile, endMs: number): Promise<Walked> {
  const urls: string[] = [];
  const counted = new Countinghouse({
    baseUrl,
    exchange: { apiKey: exchange.apiKey, privateKey: await readFile(exchange.privateKeyFile, "utf8") },
    fetch: (url, init) => {
      urls.push(url);
      return fetch(url, init);
    },
  });
  const startedAt = performance.now();
  const trades = counted.exchange.trades({ symbol: SYMBOL, from: endMs - SPAN_MS, to: endMs });
  for await (const _ of trades);
  const seconds = (performance.now() - startedAt) / 1000;
  const { progress } = trades;
  if (progress.trades !== TRADES) throw new Error(`The walk gave ${progress.trades} trades.`);
  return { seconds, progress, urls };
}

/** Sends requests one after the other, and parses their answers. @returns seconds. */
async function repeat({ apiKey, privateKeyFile }: ExchangeSection, urls: readonly string[]): Promise<number> {
  const key = { apiKey, privateKey: createPrivateKey(await readFile(privateKeyFile)) };
  const startedAt = performance.now();
  for (const url of urls) {
    const request = { method: "GET", url, now: Date.now() };
    const response = await fetch(url, { headers: signRequest(request, key, contractBrand.headerPrefix) });
    if (!response.ok) throw new Error(`A repeated request was answered with ${response.status}.`);
    JSON.parse(await response.text());
  }
  return (performance.now() - startedAt) / 1000;
}

function figuresOf({ seconds, progress, urls }: Walked, floorS: number): readonly Figure[] {
  const { tokens, waitedMs } = progress;
  const plain = { peerName: "one window of 30 days and its cursor" };
  const plainTokens = urls.length * DAYS;
  const made = figureOfPairs(
    { what: "a million trades", unit: "s", peerName: "the same requests by fetch" },
    [[seconds, floorS]],
  );
  const isMet = seconds <= SECONDS_MAX;
  return [
    { ...made, aim: { text: `at most ${SECONDS_MAX} s`, isMet } },
    figureOfCounts({ ...plain, what: "tokens", unit: "tokens" }, tokens, plainTokens),
    figureOfCounts(
      { ...plain, what: "waiting for tokens", unit: "s" },
      waitedMs / 1000,
      (plainTokens - MINUTE_TOKENS) * TOKEN_S,
    ),
    figureOfCounts(
      { ...plain, what: "share of the time that is waiting", unit: "%" },
      (100 * waitedMs) / (1000 * seconds),
      sharePercent((plainTokens - MINUTE_TOKENS) * TOKEN_S, floorS),
    ),
  ];
}

/** The part of a time that is waiting, in percent, if work and waiting follow each other. */
const sharePercent = (waitS: number, workS: number): number => (100 * waitS) / (waitS + workS);
