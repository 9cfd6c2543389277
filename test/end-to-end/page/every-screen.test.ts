import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import {
  expectNoSidewaysScroll,
  expectNoTextCut,
  expectNoViolations,
  type PageService,
  startPageService,
} from "../../support/page.ts";

type Demo = PageService["service"]["demo"];

interface State {
  readonly name: string;
  readonly hash: string;
  /** Brings the screen into the state. */
  readonly show?: (page: Page, demo: Demo) => Promise<unknown>;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function send(page: Page): Promise<void> {
  await button(page, "Send").click();
  const answer = page.getByRole("region", { name: "The answer" });
  await answer.getByRole("status").first().getByText(/\d{3}/).waitFor();
}

async function sendBroken(page: Page): Promise<void> {
  await page.getByLabel("Break on purpose").selectOption({ index: 1 });
  await send(page);
  await page.getByRole("heading", { name: /^What (?:to do|is wrong)/ }).waitFor();
}

const record = (label: string): State => ({
  name: `the record "${label}"`,
  hash: "#/records",
  show: async (page) => {
    await page.getByLabel("Record of the demo").selectOption({ label });
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await page.getByText("Reading …").waitFor({ state: "hidden" });
  },
});

async function readDay(page: Page): Promise<void> {
  await page.getByLabel("Time", { exact: true }).selectOption({ index: 1 });
  await page.getByText("All trades are here.").waitFor();
}

async function meetFault(page: Page, { baseUrl, ramp }: Demo): Promise<void> {
  await page.getByText("Listening", { exact: true }).waitFor();
  // The requests of the other screens would all be opened, and say the same as these.
  await page.getByLabel("Endpoint", { exact: true }).selectOption("get-sell-order");
  await page.locator("main summary").first().click();
  await page.getByLabel("Of the endpoint").selectOption("get-sell-order");
  await page.getByLabel("Fault", { exact: true }).selectOption("503");
  await button(page, "Set the fault").click();
  await page.getByText("The fault 503 is on.").waitFor();
  await fetch(`${baseUrl}/sell-orders/${ramp.orderId}`, { headers: { "X-API-KEY": ramp.apiKey } });
  const met = page.locator("ol > li", { hasText: "on purpose: 503" }).first();
  await met.locator("summary").first().click();
  await met.getByText("Calls of the store").waitFor();
}

const STATES: readonly State[] = [
  { name: "the overview", hash: "#/" },
  ...["get-sell-order", "list-transactions"].map((name) => ({
    name: `an answer of ${name}`,
    hash: `#/try/${name}`,
    show: send,
  })),
  ...["get-pass", "list-trades"].map((name) => ({
    name: `a refusal of ${name}`,
    hash: `#/try/${name}`,
    show: sendBroken,
  })),
  { name: "a market", hash: "#/market", show: readDay },
  ...["sell order · EXPIRED", "transaction · created", "pass · boarding pass"].map(record),
  { name: "the log with a fault", hash: "#/log", show: meetFault },
  { name: "the reference", hash: "#/reference" },
];

const SIZES = [
  { name: "laptop", width: 1_280, height: 900 },
  { name: "telephone", width: 360, height: 740 },
];

/** Of a telephone, a tablet on which tables are cards, and one on which they are tables. */
const WIDTHS = [360, 767, 768];

describe.skipIf(!hasBrowser)("every screen, with all that is folded open", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService();
  });
  afterAll(() => pages.close());

  describe.each(STATES)("$name", ({ hash, show }) => {
    let page: Page;
    beforeAll(async () => {
      page = await pages.show(hash);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await show?.(page, pages.service.demo);
      await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    });

    test.each(SIZES)(
      "has no fault that axe knows on a $name, in light and dark",
      async ({ width, height }) => {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: "light" });
        await expectNoViolations(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await expectNoViolations(page, ["color-contrast"]);
        await expectNoSidewaysScroll(page);
      },
    );

    test.each(WIDTHS)("cuts nothing on %i px", async (width) => {
      await page.setViewportSize({ width, height: 740 });
      await expectNoTextCut(page);
    });
  });
});
