import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "../../support/browser.ts";
import { type PageService, startPageService } from "../../support/page.ts";
import { eventually, tabTo } from "../../support/page-parts.ts";

describe.skipIf(!hasBrowser)("the live log", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService();
  });
  afterAll(() => pages.close());

  const listening = async (page: Page): Promise<Page> => {
    await page.getByText("Listening", { exact: true }).waitFor();
    return page;
  };
  const open = async (size?: Parameters<PageService["show"]>[1]): Promise<Page> =>
    listening(await pages.show("#/log", size));

  /** Sends a request as a program beside the browser does. */
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${pages.service.demo.baseUrl}${path}`, { headers });
  const getOrder = (): Promise<Response> => {
    const { apiKey, orderId } = pages.service.demo.ramp;
    return get(`/sell-orders/${orderId}`, { "X-API-KEY": apiKey });
  };

  const row = (page: Page, text: string) => page.locator("ol > li", { hasText: text });
  const faultRow = (page: Page) => page.getByRole("row", { name: /^get-sell-order 503/ });

  /** Sets a fault by the form. */
  async function setFault(page: Page, fault: string, times: string, of = "get-sell-order"): Promise<void> {
    const endpoint = page.getByLabel("Of the endpoint");
    if (!(await endpoint.isVisible())) await page.getByText("Faults on purpose").click();
    await endpoint.selectOption(of);
    await page.getByLabel("Fault", { exact: true }).selectOption(fault);
    await page.getByLabel("Times").fill(times);
    await page.getByRole("button", { name: "Set the fault" }).click();
  }

  test("shows a request of any program as it is answered, and opens it to the check that refused it", async () => {
    const page = await open();
    await get("/sell-orders/shown-at-once", { "X-API-KEY": "wrong" });
    const refused = row(page, "/sell-orders/shown-at-once");
    await refused.waitFor();
    const text = (await refused.textContent()) ?? "";
    expect(text).toMatch(/^\d\d:\d\d:\d\d! 401\d+ msGET \/sell-orders\/shown-at-onceinvalid_credentials/);
    await refused.locator("summary").click();
    await refused.getByText("is the credential valid? no").waitFor();
    await refused.getByText("does it have the scope? not checked").waitFor();
    await refused.getByText("error_id").waitFor();
  });

  test("shows a hint, and what the gateway answered by itself", async () => {
    const page = await open();
    await get("/transactions?cout=3");
    const hinted = row(page, "/transactions?cout=3");
    await hinted.getByText("1 hint").waitFor();
    await hinted.locator("summary").click();
    await hinted.getByRole("heading", { name: "Hints" }).waitFor();
    await get("/no-such-route");
    const lost = row(page, "/no-such-route");
    await lost.getByText("no endpoint").waitFor();
    await lost.locator("summary").click();
    await lost.getByText("The gateway answered by itself, before any check.").waitFor();
  });

  test("sets a fault, which a request meets, and clears it, so that the next one is answered", async () => {
    const page = await open();
    await setFault(page, "503", "5");
    await page.getByText("The fault 503 is on.").waitFor();
    await page.getByText("Faults on purpose: 1 on").waitFor();
    const failed = await getOrder();
    expect(failed.status).toBe(503);
    const met = row(page, "on purpose: 503").first();
    await met.waitFor();
    await eventually(() => faultRow(page).locator("td").nth(1).textContent()).toBe("1");
    await met.locator("summary").click();
    await met.getByText("You set the fault 503 for get-sell-order.").waitFor();
    await page.getByRole("button", { name: "Clear get-sell-order" }).click();
    await page.getByText("One fault was ended.").waitFor();
    await met.getByText("It is off now.").waitFor();
    // Another fault of the endpoint is not the one that was met, and neither is the same one of another endpoint.
    await setFault(page, "500", "5");
    await setFault(page, "503", "5", "get-pass");
    await page.locator("header").getByText("2 faults on").waitFor();
    expect(await met.getByText("It is off now.").count()).toBe(1);
    await page.getByRole("button", { name: "Clear all faults" }).click();
    await page.getByText("2 faults were ended.").waitFor();
    await page.getByText("No fault is switched on: requests are answered as on AWS.").waitFor();
    expect((await getOrder()).status).toBe(200);
    await row(page, "✓ 200").first().waitFor();
  });

  test("tells of a fault in the header of every screen, and where an answer failed by it, which clears it", async () => {
    const page = await open();
    const told = page.getByText("On purpose. You set the fault 503 for get-sell-order.");
    await setFault(page, "503", "9");
    await setFault(page, "500", "", "list-trades");
    await page.locator("header").getByRole("link", { name: "2 faults on" }).waitFor();
    await page.evaluate(`location.hash = "#/market"`);
    await page.getByText("On purpose. You set the fault 500 for list-trades.").waitFor();
    await page.getByRole("button", { name: "Clear it" }).click();
    await page.getByText("All trades are here.").waitFor();
    await page.evaluate(`location.hash = "#/"`);
    await page.getByRole("heading", { name: "Your first request" }).waitFor();
    await told.waitFor();
    const mark = page.locator("header").getByRole("link", { name: "1 fault on" });
    await mark.waitFor();
    await page.evaluate(`location.hash = "#/try/get-sell-order"`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await told.waitFor();
    await page.getByRole("heading", { name: "Why it failed" }).waitFor();
    await mark.click();
    await page.getByRole("button", { name: "Clear get-sell-order" }).waitFor();
    await page.getByRole("link", { name: "Records" }).click();
    await told.waitFor();
    await page.getByRole("button", { name: "Clear it" }).click();
    await page.getByText("Amounts, with every digit").waitFor();
    expect(await mark.count()).toBe(0);
  });

  test("shows a connection that a fault has cut off as no answer", async () => {
    const page = await open();
    await setFault(page, "reset", "1");
    await page.getByText("The fault reset is on.").waitFor();
    await expect(getOrder()).rejects.toThrow();
    await row(page, "no answer").getByText("on purpose: reset").waitFor();
    // It is used up, and has nothing to clear.
    await page.getByText("Faults on purpose: none is on").waitFor();
    expect(await page.getByRole("button", { name: /^Clear/ }).count()).toBe(0);
    // An answer that is lost later is another fault's.
    await setFault(page, "cut", "1");
    await page.getByText("The fault cut is on.").waitFor();
    await page.evaluate(`location.hash = "#/try/get-sell-order"`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("On purpose. You set the fault cut for get-sell-order. It is off now.").waitFor();
  });

  test("complains of a field that is not a number, and asks nothing", async () => {
    const page = await open();
    await setFault(page, "503", "many");
    await page.getByText("Write a whole number from 1 to 999,999, or leave it empty.").waitFor();
    expect(await page.getByLabel("Times").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("No fault is switched on").waitFor();
  });

  test("shows what a filter wants, and all again without it", async () => {
    const page = await open();
    await get("/passes/kept-by-the-filter");
    await getOrder();
    await row(page, "kept-by-the-filter").waitFor();
    await page.getByLabel("Text").fill("KEPT-by");
    await eventually(() => page.locator("ol > li").count()).toBe(1);
    await page.getByLabel("Status").selectOption({ label: "2xx: answered" });
    await page.getByText("No request fits the filter.").waitFor();
    await page.getByLabel("Text").fill("");
    await page.getByLabel("Endpoint", { exact: true }).selectOption("get-sell-order");
    await row(page, "/sell-orders/").first().waitFor();
    expect(await row(page, "kept-by-the-filter").count()).toBe(0);
  });

  test("stands still while it is paused, and shows what came meanwhile", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Pause" }).click();
    await get("/passes/while-it-was-paused");
    await page.getByText("Paused, 1 new").waitFor();
    expect(await row(page, "while-it-was-paused").count()).toBe(0);
    await page.getByRole("button", { name: "Pause" }).click();
    await row(page, "while-it-was-paused").waitFor();
    await page.getByRole("button", { name: "Empty" }).click();
    await page.getByText("No request yet.").waitFor();
  });

  test("shows twenty requests on the screen of a laptop, each on one line", async () => {
    const page = await open({ width: 1_280, height: 900 });
    const shown = row(page, "/passes/a-line-each");
    for (let sent = 0; sent < 20; sent += 1) await get(`/passes/a-line-each?${"long&".repeat(40)}`);
    await eventually(() => shown.count()).toBe(20);
    const box = await shown.last().boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(900);
  });

  test("is worked by the keyboard alone", async () => {
    const page = await listening(await pages.open("#/log"));
    await get("/passes/by-keyboard");
    await row(page, "by-keyboard").waitFor();
    await tabTo(page, page.locator("summary", { hasText: "Faults on purpose" }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Set the fault" }));
    await page.keyboard.press("Enter");
    await page.getByText(/^The fault \S+ is on\.$/).waitFor();
    await tabTo(page, page.getByRole("button", { name: "Pause" }));
    await page.keyboard.press("Space");
    await page.getByText("Paused", { exact: true }).waitFor();
    await tabTo(page, row(page, "by-keyboard").locator("summary"));
    await page.keyboard.press("Enter");
    await page.getByText("Checks").waitFor();
    await page.getByRole("button", { name: "Clear all faults" }).click();
    await page.getByText("No fault is switched on").waitFor();
  });
});
