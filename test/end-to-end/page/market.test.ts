import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Countinghouse } from "../../../client/src/index.ts";
import { tablesOf } from "../../../lib/dynamo/table.ts";
import { marketOf } from "../../../lib/markets/market.ts";
import { MarketRegister } from "../../../lib/markets/market-register.ts";
import { decimalOf } from "../../../lib/trades/decimal.ts";
import { LOCAL_STAGE } from "../../../local/template/local-stage.ts";
import { exactText, sumOf, ZERO } from "../../../page/src/market/exact.ts";
import { hasBrowser } from "../../support/browser.ts";
import { type Engine, startEngine } from "../../support/engine.ts";
import { expectNoViolations, type PageService, startPageService } from "../../support/page.ts";
import { eventually, tabTo } from "../../support/page-parts.ts";

const DAY_MS = 86_400_000;

type Answer = Parameters<Route["fulfill"]>[0];

/** What an answer says of the budgets, by the tokens that are left of each. */
const budgets = ({ second, minute }: Readonly<Record<"second" | "minute", number>>) => ({
  "RateLimit-Policy": '"second";q=100;w=1, "minute";q=1000;w=60',
  RateLimit: `"second";r=${second};t=1, "minute";r=${minute};t=60`,
});

/** Answers of the endpoint: to a request for which there are no tokens, and to one after that. */
const REFUSAL = {
  status: 429,
  headers: { ...budgets({ second: 100, minute: 0 }), "Retry-After": "100000" },
  json: { code: "rate_limited", message: "The rate limit is used up.", retry_after_ms: 100_000 },
};
const NO_TRADES = { json: { data: [], metadata: { timestamp: 1_795_554_000_000 } } };

describe.skipIf(!hasBrowser)("the market", () => {
  let engine: Engine;
  let pages: PageService;
  beforeAll(async () => {
    engine = await startEngine("dynalite");
    pages = await startPageService({ engineEndpoint: engine.rawEndpoint });
  });
  afterAll(async () => {
    await pages.close();
    await engine.close();
  });

  /** Opens the screen, and waits for the trades that it reads by itself. */
  async function open(view: Parameters<PageService["open"]>[1] = {}) {
    const page = await pages.open("#/market", view);
    await page.getByText("All trades are here.", { exact: true }).waitFor();
    return page;
  }

  /** The trades that a program gets from the endpoint. */
  function tradesOf(query: Parameters<Countinghouse["exchange"]["trades"]>[0]) {
    const { baseUrl, exchange } = pages.service.demo;
    const privateKey = readFileSync(exchange.privateKeyFile, "utf8");
    const client = new Countinghouse({ baseUrl, exchange: { apiKey: exchange.apiKey, privateKey } });
    return Array.fromAsync(client.exchange.trades(query));
  }

  /** Chooses another market or time, whose trades are then read to their end. */
  async function read(page: Page, { market = "BTC-USD", time = "7 days" } = {}): Promise<void> {
    await page.getByLabel("Market").selectOption(market);
    await page.getByLabel("Time", { exact: true }).selectOption({ label: time });
    await page.getByText(/^Reading (?:.* )?…$/).waitFor();
    await page.getByText(/^(?:All trades are here|There is no trade in this time)\.$/).waitFor();
  }

  /** The stretch of time that is shown, in milliseconds. */
  async function shownMs(page: Page): Promise<number> {
    const [from = "", to = ""] = await page
      .locator("p", { hasText: "Shown:" })
      .locator("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime") ?? ""));
    return Date.parse(to) - Date.parse(from);
  }

  /** The cells of a column of the table, by its place. */
  const column = (page: Page, place: number): Promise<readonly string[]> =>
    page.locator(`tbody tr > :nth-child(${place})`).allTextContents();

  const chartOf = (page: Page) => page.getByRole("group", { name: /^Chart of / });
  const gauge = (page: Page, name: string) => page.getByRole("meter", { name: `Budget of a ${name}` });
  const tokens = async (page: Page, name: string): Promise<number> =>
    Number(await gauge(page, name).getAttribute("aria-valuenow"));

  /** Whether the chart has a mark of a candle's colour: everything else of it is grey. */
  const isDrawn = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        const colour = data.subarray(at, at + 3);
        if (data[at + 3] > 200 && Math.max(...colour) - Math.min(...colour) > 60) return true;
      }
      return false;
    })()`);

  test("shows a market at once, with all of the chart in sight on a laptop, for a few tokens", async () => {
    const page = await open({ width: 1_280, height: 900 });
    expect(await isDrawn(page)).toBe(true);
    const chart = await chartOf(page).boundingBox();
    expect((chart?.y ?? 0) + (chart?.height ?? Number.POSITIVE_INFINITY)).toBeLessThan(900);
    const budgets = await page.getByRole("heading", { name: "Budgets" }).boundingBox();
    expect(budgets?.y).toBeGreaterThan(chart?.y ?? Number.POSITIVE_INFINITY);
    const [, spent] =
      /for (\d+) tokens$/.exec(
        (await page
          .getByText(/tokens$/)
          .first()
          .textContent()) ?? "",
      ) ?? [];
    expect(Number(spent)).toBeLessThan(10);
  });

  test("has the trades that the endpoint has, each once, with the exact volume", async () => {
    const page = await open();
    const asked: URL[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/trades/all/")) asked.push(new URL(request.url()));
    });
    await read(page);
    const to = Number(asked[0]?.searchParams.get("end_date"));
    const from = Number(asked.at(-1)?.searchParams.get("start_date"));
    expect(to - from).toBe(7 * DAY_MS);
    const trades = await tradesOf({ symbol: "BTC-USD", from, to });
    expect(trades.length).toBeGreaterThan(1_900);
    await page.getByText(`${trades.length.toLocaleString("en")} trades on ${asked.length} pages`).waitFor();
    const counts = (await column(page, 7)).map(Number);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(trades.length);
    const volume = (texts: readonly string[]) =>
      exactText(texts.map(decimalOf).reduce(sumOf, { ...ZERO, scale: 0 }));
    expect(volume(await column(page, 6))).toBe(volume(trades.map(({ q }) => q)));
    expect(await isDrawn(page)).toBe(true);
  });

  test("zooms by dragging, by the wheel and by buttons, and the table follows", async () => {
    const page = await open();
    await read(page);
    const spans = [await shownMs(page)];
    await chartOf(page).scrollIntoViewIfNeeded();
    const box = await page.locator(".u-over").boundingBox();
    if (box === null) throw new Error("The chart has no place.");
    const middle = box.y + box.height / 2;
    const next = async (act: () => Promise<void>): Promise<void> => {
      await act();
      await eventually(() => shownMs(page)).not.toBe(spans.at(-1));
      spans.push(await shownMs(page));
    };
    const caption = page.locator("caption");
    const before = await caption.textContent();
    await next(async () => {
      await page.mouse.move(box.x + box.width / 4, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, middle, { steps: 4 });
      await page.mouse.up();
    });
    await next(async () => {
      await chartOf(page).focus();
      await page.mouse.wheel(0, -100);
    });
    await next(() => page.getByRole("button", { name: "Zoom in" }).click());
    const [all = 0, dragged = 0, wheeled = 0, pressed = 0] = spans;
    expect(dragged).toBeCloseTo(all / 4, -7);
    expect(wheeled).toBeLessThan(dragged);
    expect(pressed).toBeLessThan(wheeled);
    expect(await caption.textContent()).not.toBe(before);
    await next(() => page.getByRole("button", { name: "Show all" }).click());
    expect(spans.at(-1)).toBe(all);
  });

  test("leaves the wheel to the page until somebody turns to the chart", async () => {
    const page = await open({ height: 500 });
    await read(page, { time: "1 hour" });
    const all = await shownMs(page);
    await chartOf(page).scrollIntoViewIfNeeded();
    await chartOf(page).hover();
    const scrolled = () => page.evaluate<number>("scrollY");
    const top = await scrolled();
    await page.mouse.wheel(0, 120);
    await eventually(scrolled).toBeGreaterThan(top);
    expect(await shownMs(page)).toBe(all);
  });

  test("is worked by the keyboard alone", async () => {
    const page = await open();
    await tabTo(page, page.getByRole("button", { name: "Read again" }));
    const again = page.waitForRequest(/\/trades\/all\//);
    await page.keyboard.press("Enter");
    await again;
    await page.getByText("All trades are here.").waitFor();
    await tabTo(page, chartOf(page));
    const all = await shownMs(page);
    await page.keyboard.press("+");
    await eventually(() => shownMs(page)).toBe(all / 2);
    const from = await page.locator("p", { hasText: "Shown:" }).textContent();
    await page.keyboard.press("ArrowLeft");
    await eventually(() => page.locator("p", { hasText: "Shown:" }).textContent()).not.toBe(from);
    expect(await shownMs(page)).toBe(all / 2);
    await page.keyboard.press("-");
    await page.keyboard.press("+");
    await page.keyboard.press("0");
    await eventually(() => shownMs(page)).toBe(all);
    await tabTo(page, page.getByRole("group", { name: /^BTC-USD per/ }));
  });

  /**
   * Reads again, at a time of the page that stands until the test moves it. The first request has an answer of the test,
   * the others no trades.
   *
   * @returns how many requests there were.
   */
  async function readAnswered(page: Page, first: Answer): Promise<() => number> {
    let requests = 0;
    await page.route("**/trades/all/**", async (route) => {
      requests += 1;
      await route.fulfill(requests === 1 ? first : NO_TRADES);
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + DAY_MS);
    await page.getByRole("button", { name: "Read again" }).click();
    return () => requests;
  }

  test("shows in the gauges what the answers say, and how the tokens come back", async () => {
    const page = await open();
    await readAnswered(page, { ...NO_TRADES, headers: budgets({ second: 70, minute: 400 }) });
    await eventually(() => tokens(page, "minute")).toBe(400);
    expect(await gauge(page, "minute").getAttribute("aria-valuetext")).toBe("400 of 1,000 tokens");
    expect(await tokens(page, "second")).toBe(70);
    await page.clock.runFor(6_000);
    // A tenth of a minute's tokens, but for those since the page looked last.
    await eventually(() => tokens(page, "minute")).toBeGreaterThan(495);
    expect(await tokens(page, "minute")).toBeLessThanOrEqual(500);
    expect(await tokens(page, "second")).toBe(100);
  });

  test("counts down through a 429 as long as Retry-After says in milliseconds, and goes on by itself", async () => {
    const page = await open();
    const requests = await readAnswered(page, REFUSAL);
    await page
      .getByText("Answered 429: too few tokens in the budget of a minute.", { exact: true })
      .waitFor();
    const left = () => page.getByRole("timer").textContent();
    expect(await left()).toBe("100 s");
    // The countdown begins to tick.
    await page.clock.runFor(1_000);
    await page.clock.fastForward(59_000);
    await eventually(left).toBe("40 s");
    await page.clock.fastForward(39_900);
    await eventually(left).toBe("0.1 s");
    expect(requests()).toBe(1);
    await page.clock.fastForward(100);
    await eventually(requests).toBeGreaterThan(1);
    await page.clock.resume();
    await page.getByText("There is no trade in this time.").waitFor();
    expect(await page.getByRole("timer").count()).toBe(0);
  });

  test("uses a budget up until a 429, and is answered again once it has waited", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Use it up (the budget of a second)" }).click();
    await page.getByText("Answered again. The budget of a second was used up").waitFor();
    await page
      .getByText(/^\d+ × 200, [1-9]\d* × 429, 30 tokens each, Retry-After: \d+ \(milliseconds\)$/)
      .waitFor();
    // No answer comes before it is stopped.
    await page.route("**/trades/all/**", () => {});
    await page.getByRole("button", { name: "Use it up (the budget of a minute)" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Using up the budget was stopped.").waitFor();
  });

  test("goes on where it was stopped, also after a look at another screen", async () => {
    const page = await open();
    const held = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/trades/all/**", async (route) => {
      requests += 1;
      // The reading is under way when it is stopped.
      if (requests > 3) await held.promise;
      await route.continue().catch(() => {});
    });
    await page.getByLabel("Time", { exact: true }).selectOption({ label: "7 days" });
    await eventually(() => requests).toBeGreaterThan(3);
    await page.getByText(/^[\d,]+ trades on [1-9]\d* pages? for/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped. The trades that came are below.").waitFor();
    // The part that has trades is framed once all of them are here.
    expect(await shownMs(page)).toBe(7 * DAY_MS);
    held.resolve();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "Market", exact: true }).first().click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("All trades are here.").waitFor();
    const counts = (await column(page, 7)).map(Number);
    const sum = counts.reduce((total, count) => total + count, 0);
    await page.getByText(`${sum.toLocaleString("en")} trades on`).waitFor();
  });

  test("offers imported markets beside the demo's, and says that one without trades has none", async () => {
    await new MarketRegister(tablesOf(engine.client, LOCAL_STAGE)("Settings")).put(marketOf("SHIB-USD"));
    const page = await open();
    expect(await page.getByLabel("Market").locator("option").allTextContents()).toEqual([
      "BTC-USD",
      "SOL-EUR",
      "DOT-USD",
      "SHIB-USD",
    ]);
    await read(page, { market: "SHIB-USD" });
    await page.getByText("There is no trade in this time.").waitFor();
    const zoom = page.getByRole("button", { name: "Zoom in" });
    expect(await zoom.getAttribute("aria-disabled")).toBe("true");
    // Nobody trades there but who imported it.
    expect(await page.getByRole("button", { name: "Live trades" }).count()).toBe(0);
    await expectNoViolations(page);
  });

  test("reads until a day that is typed, once it is whole, and says what cannot be a day", async () => {
    const page = await open();
    await page.getByLabel("Until").fill("2026-13-01");
    await page.getByText("There is no such day").waitFor();
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/trades/all/"))
        asked.push(new URL(request.url()).searchParams.get("end_date"));
    });
    const day = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel("Until").fill("");
    await page.getByLabel("Until").pressSequentially(day);
    await eventually(() => asked[0]).toBe(String(Date.parse(day) + 86_399_999));
    expect(await page.getByText("There is no such day").count()).toBe(0);
    // What has ended does not go on.
    await page.getByText("All trades are here.").waitFor();
    expect(await page.getByRole("button", { name: "Live trades" }).count()).toBe(0);
  });

  test("draws in the new colours when they are changed", async () => {
    const page = await open();
    await read(page, { time: "1 day" });
    const pixels = () => page.evaluate<string>("document.querySelector('canvas').toDataURL()");
    const light = await pixels();
    await page.getByLabel("Colours").selectOption("dark");
    await eventually(pixels).not.toBe(light);
    const dark = await pixels();
    await page.getByLabel("Colours").selectOption("light");
    await eventually(pixels).toBe(light);
    expect(dark).not.toBe(light);
  });

  test("goes on with live trades while they are switched on, also in a window opened then, and no longer", async () => {
    const page = await open();
    await read(page, { market: "SOL-EUR", time: "1 day" });
    const count = async (): Promise<number> =>
      Number.parseInt(
        ((await page.getByText(/^[\d,]+ trades? on/).textContent()) ?? "").replace(",", ""),
        10,
      );
    const before = await count();
    const live = page.getByRole("button", { name: "Live trades" });
    await live.click();
    await page.getByText("5 trades a second are written, and read.").waitFor();
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(before + 5);
    await page.reload();
    await page.getByRole("button", { name: "Live trades", pressed: true }).waitFor();
    const stopped = page.waitForResponse(
      (response) =>
        response.url().endsWith("/trades-live") && response.request().postData() === '{"stop":true}',
    );
    await live.click();
    expect(await (await stopped).json()).toEqual({ market: null });
    const written = async () => (await tradesOf({ symbol: "SOL-EUR", from: Date.now() - 3_600_000 })).length;
    const atStop = await written();
    expect(atStop).toBeGreaterThan(5);
    // Another market goes on, for several ticks of the clock that the stopped one would have had too.
    await read(page, { time: "1 day" });
    const begun = await count();
    await live.click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.getByRole("button", { name: "Show all" }).click();
    const shown = await shownMs(page);
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(begun + 5);
    // All that was asked for grows, also after a look at a part of it.
    expect(await shownMs(page)).toBeGreaterThan(shown);
    expect(await written()).toBe(atStop);
  });
});
