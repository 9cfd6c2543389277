import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  type PageService,
  startPageService,
} from "../../support/page.ts";

const SCREENS = ["#/", "#/try", "#/market", "#/records", "#/log"];

describe.skipIf(!hasBrowser)("the page", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService();
  });
  afterAll(() => pages.close());

  test.each(
    SCREENS.flatMap((hash) => (["light", "dark"] as const).map((colours) => [hash, colours] as const)),
  )("shows %s in %s colours, without a fault that axe knows", async (hash, colours) => {
    const { page, close } = await pages.open(hash, { colours });
    await expectNoViolations(page);
    await close();
  });

  test.each(SCREENS)("shows %s in 360 pixels without scrolling sideways", async (hash) => {
    const { page, close } = await pages.open(hash, { width: 360, height: 740 });
    await expectNoSidewaysScroll(page);
    await close();
  });

  test("names every endpoint that is served, and leads to its place", async () => {
    const { page, close } = await pages.open();
    await page.getByRole("link", { name: "GET /sell-orders/{order_id}" }).click();
    await page.getByRole("heading", { level: 1, name: /sell-orders/ }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/try/get-sell-order");
    await close();
  });
});
