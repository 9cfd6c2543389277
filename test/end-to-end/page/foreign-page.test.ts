import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, type PageServer, servePages } from "../../support/browser.ts";
import { type PageService, startPageService } from "../../support/page.ts";

/** What a page of another origin of this machine tries: it is of the same site, which is the nearest that one can come. */
const html = `<!doctype html><title>Another page</title>
<script>
  const outcome = (promise) => promise.then((value) => value, () => "refused");
  const first = (target, good) => new Promise((resolve) => {
    target.addEventListener(good, () => resolve("there"));
    target.addEventListener("error", () => resolve("refused"));
  });
  window.attempts = {
    "reads the document": (origin) => outcome(fetch(origin, { headers: { accept: "text/html" } }).then((answer) => answer.text())),
    "reads a file of the page": (origin, { file }) => outcome(fetch(origin + file).then((answer) => answer.text())),
    "runs a script of the page": (origin, { file }) => {
      const script = Object.assign(document.createElement("script"), { src: origin + file });
      const done = first(script, "load");
      document.head.append(script);
      return done;
    },
    "asks a question": (origin, { key }) => outcome(fetch(origin + "/_page/api/session", {
      method: "POST", headers: { "x-page-key": key }, body: "{}",
    }).then((answer) => answer.text())),
    "sets a fault without looking at the answer": (origin) => outcome(fetch(origin + "/_page/api/set-fault", {
      method: "POST", mode: "no-cors", body: '{"route":"all","fault":"gateway-500"}',
    }).then((answer) => answer.type)),
    "listens to the log": (origin, { key }) => first(new EventSource(origin + "/_page/api/log?key=" + key), "open"),
  };
</script>`;

const READS = [
  "reads the document",
  "reads a file of the page",
  "runs a script of the page",
  "asks a question",
  "listens to the log",
];

describe.skipIf(!hasBrowser)("a page of another origin, in a real browser", () => {
  let pages: PageService;
  let foreign: PageServer;
  let page: Page;
  /** More than such a page can know. */
  let known: { readonly key: string; readonly file: string };
  beforeAll(async () => {
    pages = await startPageService();
    foreign = await servePages({ "/": { html } });
    const own = await pages.openWindow();
    known = await own.page.evaluate<typeof known>(`({
      key: document.querySelector('meta[name="page-key"]').content,
      file: new URL(document.querySelector("script[src]").src).pathname,
    })`);
    await own.close();
    page = await pages.browser.newPage();
    await page.goto(`http://127.0.0.1:${foreign.port}/`);
  });
  afterAll(async () => {
    await page?.close();
    await foreign?.close();
    await pages?.close();
  });

  const attempt = (what: string): Promise<string> =>
    page.evaluate<string>(
      `attempts[${JSON.stringify(what)}](${JSON.stringify(pages.origin)}, ${JSON.stringify(known)})`,
    );

  test.each(READS)("never %s, even with the key", async (what) => {
    expect(await attempt(what)).toBe("refused");
  });

  test("does nothing by a question whose answer it does not see", async () => {
    await attempt("sets a fault without looking at the answer");
    const { ramp } = pages.service.demo;
    const headers = { "x-api-key": ramp.apiKey };
    expect((await fetch(`${pages.origin}/sell-orders/${ramp.orderId}`, { headers })).status).toBe(200);
  });

  test("shows the document in no frame of its own", async () => {
    await page.evaluate(`new Promise((resolve) => {
      const frame = Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(pages.origin)} });
      frame.addEventListener("load", resolve);
      document.body.append(frame);
    })`);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(framed?.url()).toMatch(/^chrome-error:/);
  });
});
