import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { type PageService, startPageService } from "../../support/page.ts";
import { codeOf, eventually, tabTo } from "../../support/page-parts.ts";

const RECORD = "As its endpoint answers it";

const choose = (page: Page, label: string) => page.getByLabel("Record of the demo").selectOption({ label });
const present = (page: Page) => page.locator('[aria-current="step"]');
const readings = (page: Page) => page.getByRole("list", { name: "Readings" }).getByRole("listitem");

/** The statuses of the readings, once there are as many. */
async function statuses(page: Page, count: number): Promise<readonly (string | undefined)[]> {
  await eventually(() => readings(page).count()).toBe(count);
  return (await readings(page).allTextContents()).map((text) => /\d{3}/.exec(text)?.[0]);
}

describe.skipIf(!hasBrowser)("the screen of records", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService();
  });
  afterAll(() => pages.close());

  test("an order is advanced to its end, and its endpoint answers each state", async () => {
    const page = await pages.open("#/records");
    await choose(page, "sell order · AWAITING DEPOSIT");
    for (const state of ["DEPOSIT_SEEN", "PROCESSING", "COMPLETED"]) {
      await page.getByRole("button", { name: `Advance to ${state}` }).click();
      await eventually(() => present(page).textContent()).toContain(state);
    }
    await eventually(() => codeOf(page, RECORD)).toContain('"status": "COMPLETED"');
    const states = await page.locator("ol li strong").allTextContents();
    await page.getByText("COMPLETED is final.").waitFor();
    // The list tells what it has become.
    const chosen = page.getByLabel("Record of the demo").locator("option:checked");
    await eventually(() => chosen.textContent()).toBe(
      `sell order · COMPLETED · ${pages.service.demo.ramp.orders.AWAITING_DEPOSIT?.slice(0, 8)}…`,
    );
    expect(states).toEqual(["AWAITING_DEPOSIT", "DEPOSIT_SEEN", "PROCESSING", "COMPLETED"]);
    expect(await page.getByRole("button", { name: /^Advance/ }).count()).toBe(0);
    // The way is that of the record, and so the same after a look at another one.
    const way = await page.locator("ol").first().textContent();
    expect(way).toMatch(/PROCESSING\s*not in the record/);
    await page.reload();
    await eventually(() => page.locator("ol").first().textContent()).toBe(way);
    await page.getByRole("link", { name: "reset the demo" }).press("Enter");
    const reset = page.getByRole("button", { name: "Reset the demo …" });
    await eventually(() => reset.evaluate((button) => button.matches(":focus"))).toBe(true);
  });

  test("the amounts of a record are shown with the digits that were sent", async () => {
    const page = await pages.show("#/records");
    await choose(page, "sell order · PROCESSING");
    const { baseUrl, ramp } = pages.service.demo;
    const response = await fetch(`${baseUrl}/sell-orders/${ramp.orders.PROCESSING}`, {
      headers: { "X-API-KEY": ramp.apiKey },
    });
    const sent = [...(await response.text()).matchAll(/":(-?\d[^,}]*)/g)].map(([, amount]) => amount);
    expect(sent.length).toBeGreaterThan(4);
    const shown = page.getByRole("table").locator("td:first-of-type");
    await eventually(() => shown.allTextContents()).toEqual(sent);
  });

  test("a transaction is advanced by the keyboard alone, which goes on at the new state", async () => {
    const page = await pages.open("#/records");
    await choose(page, "transaction · pending");
    await page.getByRole("button", { name: "Advance to completed" }).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Advance to completed" }));
    await page.keyboard.press("Enter");
    await eventually(() => present(page).textContent()).toContain("completed");
    await eventually(() => present(page).evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.getByText("The transaction went from pending to completed.").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Set to reverted" }), 1);
  });

  test("a pass goes from 200 by 304 and a new 200 to 410", async () => {
    const page = await pages.show("#/records");
    await choose(page, "pass · loyalty pass");
    expect(await statuses(page, 1)).toEqual(["200"]);
    await page.getByRole("button", { name: "Ask with the tag" }).click();
    expect(await statuses(page, 2)).toEqual(["200", "304"]);
    await page.getByRole("button", { name: "Advance to the next version" }).click();
    expect(await statuses(page, 3)).toEqual(["200", "304", "200"]);
    const tags = (await readings(page).allTextContents()).map((text) => /ETag: ("[^"]*")/.exec(text)?.[1]);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
    await page.getByRole("article", { name: "loyalty pass" }).getByText("version 13").waitFor();
    await page.getByRole("button", { name: "Void the pass" }).click();
    expect(await statuses(page, 4)).toEqual(["200", "304", "200", "410"]);
    await page.getByRole("article", { name: "loyalty pass" }).getByText("void", { exact: true }).waitFor();
  });

  test("a pass is voided by the keyboard alone, which goes on at its readings", async () => {
    const page = await pages.open("#/records");
    await choose(page, "pass · event pass");
    await statuses(page, 1);
    await tabTo(page, page.getByRole("button", { name: "Void the pass" }));
    await page.keyboard.press("Enter");
    expect(await statuses(page, 2)).toEqual(["200", "410"]);
    const list = page.getByRole("list", { name: "Readings" });
    await eventually(() => list.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  test("an id of the other owner is shown as well, and one of nobody is refused in words", async () => {
    const page = await pages.show("#/records");
    const typed = page.getByLabel("Or any id, or reference of a pass");
    await typed.fill(pages.service.demo.ramp.otherOrderId);
    await typed.press("Enter");
    await eventually(() => codeOf(page, RECORD)).toContain(pages.service.demo.ramp.otherOrderId);
    await typed.fill("");
    await typed.press("Enter");
    expect(await typed.evaluate((field) => field.matches(":invalid"))).toBe(true);
    expect(await codeOf(page, RECORD)).toContain(pages.service.demo.ramp.otherOrderId);
    await typed.fill("nobody-s");
    await typed.press("Enter");
    await page.getByRole("alert").getByText("There is no sell order, transaction or pass nobody-s").waitFor();
    await page.getByRole("alert").getByText("The list above has an id of each state.").waitFor();
  });
});
