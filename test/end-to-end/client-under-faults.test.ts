import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Countinghouse } from "../../client/src/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { clearFaults, listFaults, setFault } from "../../local/faults/fault-routes.ts";
import { askControl } from "../../ops/control/ask-control.ts";
import { hasBrowser, type PageServer, servePages, startBrowser } from "../support/browser.ts";
import { buildClient } from "../support/built-client.ts";
import { plainStore } from "../support/engine.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { storedTrades } from "../support/stored-trades.ts";

const DAYS = 6;
const DAY_MS = 86_400_000;
/** Pages so small that one request in twenty is several of them. */
const PAGE_TRADES = 90;
/** Waits are cut short, because faults count requests and not time. */
const WAIT_MS_MAX = 20;
/** A client that gives up a silent service sooner than the gateway does, and a busy one hardly ever. */
const TIMEOUT_MS = 2_000;
/** So many requests of a walk go wrong, or more. */
const HITS_MIN = 3;

/** The faults that pass: a client repeats the request. */
const faults = [
  "429",
  "500",
  "503",
  "timeout",
  "slow",
  "cut",
  "reset",
  "gateway-429",
  "gateway-500",
  "gateway-503",
];

if (!hasBrowser) console.warn("There is no browser for this machine: the client is not tried in one.");

let service: TestService;
let pages: PageServer;
let browser: Browser | undefined;
let page: Page | undefined;
let walk: { readonly symbol: string; readonly from: number; readonly to: number; readonly limit: number };
let stored: readonly string[];

const html = `<!doctype html><title>Client</title>
<script type="importmap">{ "imports": { "@countinghouse/client": "/client/index.js" } }</script>
<script type="module">
  import { Countinghouse } from "@countinghouse/client";
  globalThis.Countinghouse = Countinghouse;
</script>`;

/** Runs in the page. */
const program = `async ({ options, walk, waitMsMax }) => {
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, waitMsMax)));
  const ids = [];
  for await (const { tid } of new Countinghouse({ ...options, sleep }).exchange.trades(walk)) ids.push(tid);
  return ids;
}`;

beforeAll(async () => {
  pages = await servePages({ "/client/": { directory: (await buildClient()).dist }, "/": { html } });
  service = await startTestService(plainStore, undefined, [`http://localhost:${pages.port}`]);
  const { symbol } = service.demo.exchange;
  const to = systemClock() - 60_000;
  walk = { symbol, from: to - DAYS * DAY_MS, to, limit: PAGE_TRADES };
  const window = { fromMs: walk.from, toMs: walk.to };
  stored = (await storedTrades(service.table("Trades"), symbol, window)).map(({ id }) => id);
  if (!hasBrowser) return;
  browser = await startBrowser();
  page = await browser.newPage();
  await page.goto(`http://localhost:${pages.port}/`);
  await page.waitForFunction("globalThis.Countinghouse !== undefined");
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await pages?.close();
});
beforeEach(() => service.refill("trades", service.demo.exchange.owner));

const optionsOf = ({ baseUrl, demo: { exchange } }: TestService) => ({
  baseUrl,
  timeoutMs: TIMEOUT_MS,
  exchange: { apiKey: exchange.apiKey, privateKey: readFileSync(exchange.privateKeyFile, "utf8") },
});

async function walkInNode(): Promise<string[]> {
  const shortSleep = (ms: number): Promise<void> => sleep(Math.min(ms, WAIT_MS_MAX));
  const client = new Countinghouse({ ...optionsOf(service), sleep: shortSleep });
  const trades = await Array.fromAsync(client.exchange.trades(walk));
  return trades.map(({ tid }) => tid);
}

async function walkInBrowser(): Promise<string[]> {
  const given = JSON.stringify({ options: optionsOf(service), walk, waitMsMax: WAIT_MS_MAX });
  return (await page?.evaluate<string[]>(`(${program})(${given})`)) ?? [];
}

/** Walks while one request in twenty goes wrong. @returns the ids of the trades, and how many requests went wrong. */
async function walkUnder(fault: string, run: () => Promise<string[]>) {
  const route = "list-trades";
  await askControl(service.dataDir, setFault, {
    route,
    fault,
    oneIn: 20,
    ...(fault === "slow" && { delayMs: 5 * TIMEOUT_MS }),
    // Each makes the client wait.
    ...(["slow", "timeout"].includes(fault) && { times: HITS_MIN }),
  });
  const ids = await run();
  const set = await askControl(service.dataDir, listFaults, {});
  await askControl(service.dataDir, clearFaults, { route });
  return { ids, hits: set.find(({ endpoint }) => endpoint === route)?.hits ?? 0 };
}

/** A browser differs from Node.js in connections that break, and in answers without the headers of CORS. */
const platforms = [
  { platform: "Node.js", run: walkInNode, met: faults },
  ...(hasBrowser
    ? [{ platform: "a browser", run: walkInBrowser, met: ["timeout", "cut", "reset", "gateway-503"] }]
    : []),
];

describe.each(platforms)("a walk through some days in $platform", ({ run, met }) => {
  test.each(met)("gives every trade once while one request in twenty meets the fault %s", async (fault) => {
    const { ids, hits } = await walkUnder(fault, run);
    expect(hits).toBeGreaterThanOrEqual(HITS_MIN);
    expect(ids).toEqual(stored);
  });
});
