import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  type PageService,
  startPageService,
} from "../../support/page.ts";

/** The screens of the navigation, by the words of their links. */
const SCREENS = ["Overview", "Try it", "Market", "Records", "Live log", "Reference"];
const WIDTHS = [360, 1_100];

if (!hasBrowser) console.warn("There is no browser for this machine: the page is not tried in one.");

/** What the keyboard is on: the text of the element, or its tag. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`document.activeElement.textContent.trim() || document.activeElement.tagName`);

const background = (page: Page): Promise<string> =>
  page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");

const LIGHT = "rgb(248, 246, 241)";
const DARK = "rgb(20, 23, 26)";

/** An operation of the reference, with parameters and answers. */
const OPERATION = "#/reference/tag/exchange/GET/1.0/trades/all/{symbol}";

let pages: PageService;
beforeAll(async () => {
  if (hasBrowser) pages = await startPageService();
});
afterAll(() => pages?.close());

describe.skipIf(!hasBrowser)("the shell of the page", () => {
  test.each(["light", "dark"] as const)("has no fault that axe knows, in %s colours", async (colours) => {
    const { page, close } = await pages.open("#/", { colours });
    expect(await background(page)).toBe(colours === "light" ? LIGHT : DARK);
    await expectNoViolations(page);
    await close();
  });

  test.each(WIDTHS)("is %i pixels wide without scrolling sideways", async (width) => {
    const { page, close } = await pages.open("#/", { width });
    await expectNoSidewaysScroll(page);
    await close();
  });

  test("names every endpoint that is served, and leads to its place", async () => {
    const { page, close } = await pages.open();
    await page.getByRole("link", { name: "GET /sell-orders/{order_id}" }).click();
    await page.waitForURL("**/#/try/get-sell-order");
    await close();
  });

  test("leads to every screen by the keyboard alone, says where it is, and begins at the screen's top", async () => {
    const { page, close } = await pages.open();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Try it");
    for (const screen of SCREENS) {
      await page.locator("header a", { hasText: "Overview" }).focus();
      for (let at = 0; at < SCREENS.indexOf(screen); at += 1) await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(screen);
      await page.keyboard.press("Enter");
      const current = page.locator('header a[aria-current="page"]');
      await expect.poll(() => current.textContent()).toBe(screen);
      await expect.poll(() => page.title()).toBe(`${screen} – countinghouse`);
      await page.locator("main h1").first().waitFor();
    }
    await close();
  });

  test("keeps the chosen colours in the next visit, whatever the system's are", async () => {
    const { page, close } = await pages.open("#/", { colours: "light" });
    await page.getByLabel("Colours").selectOption("dark");
    await expect.poll(() => background(page)).toBe(DARK);
    await page.reload();
    await expect.poll(() => background(page)).toBe(DARK);
    await page.getByLabel("Colours").selectOption("system");
    await expect.poll(() => background(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => background(page)).toBe(DARK);
    await close();
  });

  test("puts the store back, and says what it took", async () => {
    const { page, close } = await pages.open();
    const { orders } = pages.service.demo.ramp;
    const key = await page.evaluate<string>(`document.querySelector('meta[name="page-key"]').content`);
    const ask = async (name: string): Promise<string> => {
      const answer = await fetch(`${pages.origin}/_page/api/${name}`, {
        method: "POST",
        headers: { "x-page-key": key },
        body: JSON.stringify({ id: orders.AWAITING_DEPOSIT }),
      });
      return ((await answer.json()) as { state: string }).state;
    };
    expect(await ask("advance")).toBe("DEPOSIT_SEEN");
    await page.getByRole("button", { name: "Put the store back" }).press("Enter");
    await page.getByText(/Done\. \d+ rows? written, \d+ deleted, in [\d.]+ ms\./).waitFor();
    expect(await ask("state")).toBe("AWAITING_DEPOSIT");
    await expectNoViolations(page);
    await close();
  });

  test("moves nothing for those who want no motion", async () => {
    const { page, close } = await pages.open();
    await page.emulateMedia({ reducedMotion: "reduce" });
    const quick = "getComputedStyle(document.documentElement).getPropertyValue('--quick')";
    expect(await page.evaluate<string>(quick)).toMatch(/^0m?s$/);
    await close();
  });

  test("says so when the server that the document came from is gone", async () => {
    const { page, close } = await pages.open();
    await page.route("**/_page/api/session", (route) =>
      route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"another start"}' }),
    );
    await page.reload();
    expect(await page.getByRole("alert").textContent()).toContain("Load the page again");
    await close();
  });
});

describe.skipIf(!hasBrowser)("the reference of the page", () => {
  test.each(["light", "dark"] as const)(
    "is read offline, and has no fault that axe knows, in %s colours",
    async (colours) => {
      const { page, close } = await pages.open(OPERATION, { colours });
      await page.getByRole("heading", { name: "List trades" }).first().waitFor();
      await expectNoViolations(page);
      await close();
    },
  );

  test("follows a change of the colours, and leaves the other screens as they were", async () => {
    const { page, close } = await pages.open("#/reference", { colours: "light" });
    await page.getByLabel("Colours").selectOption("dark");
    await page.locator("body.dark-mode").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "What is here" }).waitFor();
    expect(await background(page)).toBe(DARK);
    await expectNoViolations(page);
    await close();
  });

  test("opens an operation that its address names, and stays on its screen when another is chosen", async () => {
    const { page, close } = await pages.open(OPERATION);
    await page.getByRole("heading", { name: "List trades" }).first().waitFor();
    await page
      .getByRole("link", { name: /Get a pass|Wallet passes/ })
      .first()
      .click();
    await page.waitForURL(/#\/reference\/tag\/wallet/);
    expect(await page.locator('header a[aria-current="page"]').textContent()).toBe("Reference");
    await close();
  });

  test("has no request window, which could not sign", async () => {
    const { page, close } = await pages.open(OPERATION);
    await page.getByRole("heading", { name: "List trades" }).first().waitFor();
    expect(await page.getByRole("button", { name: /test request|send/i }).count()).toBe(0);
    await close();
  });

  test("is 360 pixels wide without scrolling sideways", async () => {
    const { page, close } = await pages.open("#/reference", { width: 360 });
    await page.getByRole("heading", { name: "countinghouse" }).first().waitFor();
    await expectNoSidewaysScroll(page);
    await close();
  });
});
