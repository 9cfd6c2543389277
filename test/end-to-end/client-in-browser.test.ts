import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, type PageServer, PLAIN_HOST, servePages, startBrowser } from "../support/browser.ts";
import { buildClient } from "../support/built-client.ts";
import { plainStore } from "../support/engine.ts";
import { projectPath } from "../support/project.ts";
import { startTestService, type TestService } from "../support/service.ts";

const DAY_MS = 86_400_000;

if (!hasBrowser) console.warn("There is no browser for this machine: the client is not tried in one.");

/** A page without a bundler. The import map names the packages for a platform that cannot sign by itself. */
const html = `<!doctype html><title>Client</title>
<script type="importmap">{ "imports": {
  "@countinghouse/client": "/client/index.js",
  "@noble/ed25519": "/noble/ed25519/index.js",
  "@noble/hashes/": "/noble/hashes/"
} }</script>
<script type="module">
  import { Countinghouse } from "@countinghouse/client";
  globalThis.clientOf = (options) => new Countinghouse(options);
</script>`;

/** Runs in the page: walks, stops, goes on, and asks for a record of each other interface. */
const program = `async ({ options, walk, orderId, transactionId, reference }) => {
  const client = clientOf(options);
  const ids = [];
  const first = client.exchange.trades({ ...walk, limit: 500 });
  for await (const { tid } of first) if (ids.push(tid) === 1000) break;
  for await (const { tid } of client.exchange.trades({ resume: first.progress.resume })) ids.push(tid);
  const order = await client.ramp.sellOrder(orderId);
  const { id } = await client.business.transaction(transactionId);
  const { status, tag } = await client.passes.get(reference);
  const again = await client.passes.get(reference, { ifNoneMatch: tag });
  return { isTrusted: isSecureContext, ids, amount: order.crypto.amount, id, statuses: [status, again.status] };
}`;

/** Runs in a worker of the page, which has no import map, and says how many trades it was given. */
const inWorker = `({ options, walk }) => new Promise((resolve, reject) => {
  const code = \`
    import { Countinghouse } from "\${location.origin}/client/index.js";
    onmessage = async ({ data: { options, walk } }) => {
      let trades = 0;
      for await (const _ of new Countinghouse(options).exchange.trades(walk)) trades += 1;
      postMessage(trades);
    };
  \`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage({ options, walk });
})`;

/** The result of the program. */
interface Seen {
  readonly isTrusted: boolean;
  readonly ids: readonly string[];
  readonly amount: string;
  readonly id: string;
  readonly statuses: readonly number[];
}

describe.runIf(hasBrowser)("the client in a browser", () => {
  let pages: PageServer;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    const { dist } = await buildClient();
    const noble = projectPath("node_modules/@noble");
    pages = await servePages({
      "/client/": { directory: dist },
      "/noble/": { directory: noble },
      "/": { html },
    });
    const origins = ["localhost", PLAIN_HOST].map((host) => `http://${host}:${pages.port}`);
    [service, browser] = await Promise.all([
      startTestService(plainStore, undefined, origins),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await pages?.close();
  });

  /** What the page is given: credentials of every interface, and what to ask for. */
  const given = () => {
    const { baseUrl, demo } = service;
    const { apiKey, privateKeyFile, symbol } = demo.exchange;
    const to = Date.now();
    return {
      options: {
        baseUrl,
        business: { accessToken: demo.business.token },
        passes: { accessToken: demo.passes.token },
        exchange: { apiKey, privateKey: readFileSync(privateKeyFile, "utf8") },
        ramp: { apiKey: demo.ramp.apiKey },
      },
      walk: { symbol, from: to - 3 * DAY_MS, to },
      orderId: demo.ramp.orderId,
      transactionId: demo.business.transactionId,
      reference: demo.passes.partnerReference,
    };
  };

  /** Runs a program in a new page of a host. */
  async function runOn<Result>(host: string, code: string): Promise<Result> {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${pages.port}/`);
    await page.waitForFunction("globalThis.clientOf !== undefined");
    const result = await page.evaluate<Result>(`(${code})(${JSON.stringify(given())})`);
    await page.close();
    return result;
  }

  test.each([
    ["localhost", true],
    [PLAIN_HOST, false],
  ])("walks through trades and reads records on a page of %s", async (host, isTrusted) => {
    const seen = await runOn<Seen>(host, program);
    const { demo } = service;
    const headers = { "x-api-key": demo.ramp.apiKey };
    const order = await (await service.get(`/sell-orders/${demo.ramp.orderId}`, headers)).text();
    expect(order).toContain(`"amount":${seen.amount},`);
    expect(seen).toMatchObject({ isTrusted, id: demo.business.transactionId, statuses: [200, 304] });
    expect(seen.ids.length).toBeGreaterThan(1_500);
    expect(new Set(seen.ids).size).toBe(seen.ids.length);
    // A page that the browser does not trust has no WebCrypto to sign with.
    expect(pages.asked.includes("/noble/ed25519/index.js")).toBe(!isTrusted);
  });
  test("walks through trades in a worker of a page", async () => {
    expect(await runOn<number>("localhost", inWorker)).toBeGreaterThan(1_500);
  });
});
