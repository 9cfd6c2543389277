import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOCUMENT_HEADERS, documentText } from "../../../local/page/page-desk.ts";
import { resetRoute } from "../../../local/reset/reset-routes.ts";
import { resetWords } from "../../../local/reset/reset-words.ts";
import { askControl } from "../../../ops/control/ask-control.ts";
import { hasBrowser } from "../../support/browser.ts";
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  type PageService,
  startPageService,
} from "../../support/page.ts";
import { eventually } from "../../support/page-parts.ts";

/** The screens of the navigation, by the words of their links. */
const SCREENS = ["Overview", "Try it", "Market", "Records", "Live log", "Reference"];

if (!hasBrowser) console.warn("There is no browser for this machine: the page is not tried in one.");

/** What the keyboard is on: the text of the element, or its tag. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`document.activeElement.textContent.trim() || document.activeElement.tagName`);

const background = (page: Page): Promise<string> =>
  page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");

const LIGHT = "rgb(248, 246, 241)";
const DARK = "rgb(20, 23, 26)";

/** A heading of the reference far below its first screen. */
const HEADING = "#/reference/list-trades";
/** What is reached by a link stands in the upper part of the window. */
const TOP_PX = 200;

/** How far below the window's upper edge a heading is; never less than 0. */
const topOf = async (page: Page, name: string): Promise<number> =>
  Math.abs((await page.getByRole("heading", { name, exact: true }).boundingBox())?.y ?? Number.NaN);

let pages: PageService;
beforeAll(async () => {
  if (hasBrowser) pages = await startPageService({ startCommand: "npm start -- --port 12000" });
});
afterAll(() => pages?.close());

describe.skipIf(!hasBrowser)("the shell of the page", () => {
  test("appears by itself at the address that was asked for, once it is built", async () => {
    const page = await pages.open("#/market");
    const body = documentText({ kind: "building" }, "");
    const once = { times: 1 };
    await page.route(`${pages.origin}/`, (route) => route.fulfill({ headers: DOCUMENT_HEADERS, body }), once);
    await page.reload();
    await page.getByText("The page is being built.").waitFor();
    await eventually(() => page.title()).toBe("Market – countinghouse");
  });

  test("gives a first request with the answer that it gets, and copies each", async () => {
    const page = await pages.open();
    const { orderId, apiKey } = pages.service.demo.ramp;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = async (name: string) => {
      await page.getByRole("button", { name: `Copy ${name}` }).press("Enter");
      return eventually(() => page.evaluate<string>("navigator.clipboard.readText()"));
    };
    await (await copied("Base address")).toBe(pages.service.demo.baseUrl);
    await (await copied("Credential")).toBe(apiKey);
    await (await copied("Request")).toMatch(new RegExp(`^curl .*${apiKey}.*/sell-orders/${orderId}'$`));
    await (await copied("Its answer just now: 200")).toContain(`"id": "${orderId}"`);
  });

  test("names every endpoint that is served with its credentials, and leads to its place", async () => {
    const page = await pages.show("#/");
    await page.getByText("client certificate, or Jws-Signature, or bearer token").waitFor();
    await page.getByRole("link", { name: "GET /sell-orders/{order_id}" }).click();
    await page.waitForURL("**/#/try/get-sell-order");
  });

  test.each(["#/", "#/reference"])("has no link that leads nowhere (%s)", async (address) => {
    const page = await pages.show(address);
    const links = await page
      .locator("main a")
      .evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
    const headings = await page.locator("main :is(h2, h3)").evaluateAll((found) => found.map(({ id }) => id));
    const isHere = (link: string) => headings.includes(link.slice(1)) || /^#\/(?!reference\/)/.test(link);
    expect(links.filter((link) => link.startsWith("#") && !isHere(link))).toEqual([]);
    const files = links.filter((link) => !link.startsWith("#"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect([file, (await fetch(`${pages.origin}${file}`)).status]).toEqual([file, 200]);
  });

  test("leads to every screen by the keyboard alone, says where it is, and begins at the screen's top", async () => {
    const page = await pages.open();
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Copy Base address");
    for (const screen of SCREENS) {
      await page.locator("header a", { hasText: "Overview" }).focus();
      for (let at = 0; at < SCREENS.indexOf(screen); at += 1) await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(screen);
      await page.keyboard.press("Enter");
      const current = page.locator('header a[aria-current="page"]');
      await eventually(() => current.textContent()).toBe(screen);
      await eventually(() => page.title()).toBe(`${screen} – countinghouse`);
      await page.locator("main h1").first().waitFor();
    }
  });

  test("keeps the chosen colours in the next visit, whatever the system's are", async () => {
    const page = await pages.open("#/", { colours: "light" });
    await page.getByLabel("Colours").selectOption("dark");
    await eventually(() => background(page)).toBe(DARK);
    await page.reload();
    await eventually(() => background(page)).toBe(DARK);
    await page.getByLabel("Colours").selectOption("system");
    await eventually(() => background(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(() => background(page)).toBe(DARK);
  });

  test.each([
    ["market", "Time", "hours", (field: Locator) => field.selectOption({ index: 4 })],
    ["records", "Record of the demo", "id", (field: Locator) => field.selectOption({ index: 4 })],
    ["try/list-trades", "limit", "limit", (field: Locator) => field.fill("7")],
  ])(
    "shows the same choice again after #/%s is reloaded, in the same place of the history",
    async (screen, label, name, choose) => {
      const page = await pages.open(`#/${screen}`);
      const field = page.getByLabel(label, { exact: true });
      const places = await page.evaluate<number>("history.length");
      await choose(field);
      const value = await field.inputValue();
      await page.waitForURL(({ hash }) => new URLSearchParams(hash.split("?")[1]).get(name) === value);
      expect(await page.evaluate<number>("history.length")).toBe(places);
      await page.reload();
      await eventually(() => field.inputValue()).toBe(value);
    },
  );

  test("never takes back an address that was asked for while the one before was about to be kept", async () => {
    const page = await pages.open("#/try/get-sell-order");
    // What is due soon is the drawing of the page.
    await page.evaluate(
      "due = []; soon = setTimeout; setTimeout = (act, ms) => (ms > 100 ? due.push(act) : soon(act, ms))",
    );
    await page.getByLabel("order_id (required)").fill("x");
    await page.waitForFunction("due.length > 0");
    await page.evaluate("location.hash = '#/log'; for (const act of due) act()");
    await page.getByRole("heading", { level: 1, name: "Live log" }).waitFor();
  });

  test("moves the service's time, tells why not, and lives in it until a reset brings the machine's back", async () => {
    const page = await pages.open("#/", { width: 360 });
    const time = page.locator("header summary");
    expect(await time.textContent()).toBe("Time: now");
    await time.press("Enter");
    const field = page.getByLabel("How far on, or to which instant");
    await field.fill("2027-02-30");
    await field.press("Enter");
    await page.getByText("There is no such day: 2027-02-30.").waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    await field.fill("+30d");
    await field.press("Enter");
    await eventually(() => time.textContent()).toMatch(/^Time: 20\d\d-\d\d-\d\dT\d\d:\d\dZ$/);
    const shownMs = async () => Date.parse((await time.textContent())?.slice("Time: ".length) ?? "");
    await eventually(shownMs).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await page.getByText("There is no such day").waitFor({ state: "detached" });
    // A request that is signed, by the service's time.
    await page.goto(`${pages.origin}/#/try/list-trades`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("status").getByText("200").waitFor();
    await askControl(dirname(pages.service.demo.issuer.keyFile), resetRoute, {});
    await eventually(() => time.textContent()).toBe("Time: now");
  });

  test("resets the demo only once the visitor has agreed to what goes", async () => {
    const page = await pages.open();
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
    const question = page.getByRole("dialog", { name: "Reset the demo?" });
    const open = page.getByRole("button", { name: "Reset the demo …" });
    await open.press("Enter");
    expect(await focused(page)).toBe("Cancel");
    expect(await question.textContent()).toContain(resetWords.goes);
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    expect([await question.isVisible(), await focused(page)]).toEqual([false, "Reset the demo …"]);
    expect(await ask("state")).toBe("DEPOSIT_SEEN");
    await open.press("Enter");
    const firstAgain = page.waitForRequest(/\/sell-orders\//);
    await question.getByRole("button", { name: "Reset the demo" }).press("Enter");
    await firstAgain;
    await page.getByText(`Done. ${resetWords.done}`).waitFor();
    expect(await ask("state")).toBe("AWAITING_DEPOSIT");
    await expectNoViolations(page);
  });

  test("moves nothing for those who want no motion", async () => {
    const page = await pages.open();
    await page.emulateMedia({ reducedMotion: "reduce" });
    const quick = "getComputedStyle(document.documentElement).getPropertyValue('--quick')";
    expect(await page.evaluate<string>(quick)).toMatch(/^0m?s$/);
  });

  test("says on every screen that the service has stopped, until it is back and loads what was asked for, and what to do after another start", async () => {
    const page = await pages.open("#/", { width: 360, mayComplain: true });
    await page.evaluate(`location.hash = "#/log"`);
    await page.getByRole("heading", { level: 1, name: "Live log" }).waitFor();
    const note = page.locator("header").getByRole("alert");
    let service: "stopped" | "back" | "another start" = "stopped";
    await page.route(/\/_page\/|\/sell-orders\//, (route) => {
      if (service === "stopped") return route.abort();
      return service === "back" ? route.continue() : route.fulfill({ status: 401, json: {} });
    });
    await eventually(() => note.textContent()).toBe(
      "The service has stopped. Start it again as before, withCopy Start it again as before, withnpm start -- --port 12000",
    );
    await expectNoSidewaysScroll(page);
    await page.getByText("Faults on purpose").click();
    const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/set-fault"));
    await page.getByRole("button", { name: "Set the fault" }).click();
    await refused;
    await expectNoViolations(page);
    expect(await page.getByRole("alert").count()).toBe(1);
    await page.evaluate(`location.hash = "#/"`);
    await page.getByRole("heading", { name: "Your first request" }).waitFor();
    await page.getByText("The request is being sent").waitFor({ state: "detached" });
    expect(await page.getByRole("alert").count()).toBe(1);
    await page.evaluate(`location.hash = "#/records"`);
    await page.getByRole("heading", { level: 1, name: "This screen could not be loaded" }).waitFor();
    await expectNoViolations(page);
    service = "back";
    await note.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Records" }).waitFor();
    service = "another start";
    const load = page.locator("header").getByRole("button", { name: "Load the page again" });
    await Promise.all([page.waitForEvent("load"), load.press("Enter")]);
  });

  test("says of an address with nothing behind it that there is nothing, and leads on", async () => {
    const page = await pages.show("#/reference/nonsense");
    await page.getByRole("status").getByText("The reference has no part “nonsense”.").waitFor();
    await page.evaluate(`location.hash = "${HEADING}"`);
    await page.getByText("no part").waitFor({ state: "detached" });
    await page.evaluate(`location.hash = "#/try/nothing"`);
    await page.getByRole("heading", { name: "There is no endpoint nothing" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Endpoints" }).getByRole("link").count()).toBe(5);
    await page.evaluate(`location.hash = "#/elsewhere"`);
    await page.getByRole("heading", { name: "There is no such screen" }).waitFor();
    await expectNoViolations(page);
    await page.locator("main").getByRole("link", { name: "Overview" }).click();
    await eventually(() => page.title()).toBe("Overview – countinghouse");
  });

  test("says so when the server that the document came from is gone", async () => {
    const page = await pages.open();
    await page.route("**/_page/api/session", (route) =>
      route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"another start"}' }),
    );
    await page.reload();
    expect(await page.getByRole("alert").textContent()).toContain("Load the page again");
  });
});

describe.skipIf(!hasBrowser)("the reference of the page", () => {
  test("opens at the heading that its address names, and goes to another from its contents", async () => {
    const page = await pages.open(HEADING);
    await eventually(() => topOf(page, "List trades")).toBeLessThan(TOP_PX);
    const link = page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Get a pass" });
    for (let visit = 0; visit < 2; visit += 1) {
      await link.focus();
      await page.keyboard.press("Enter");
      await page.waitForURL("**/#/reference/get-a-pass");
      await eventually(() => topOf(page, "Get a pass")).toBeLessThan(TOP_PX);
      await eventually(() => link.getAttribute("aria-current")).toBe("location");
      // The page may still scroll to the heading once, a moment after the browser has.
      await eventually(async () => {
        await page.evaluate("scrollTo(0, 0)");
        return page.locator("nav [aria-current=location]").count();
      }).toBe(0);
    }
    expect(await page.locator('header a[aria-current="page"]').textContent()).toBe("Reference");
  });

  test("saves the requests for an editor with this start's address and credentials", async () => {
    const page = await pages.show("#/reference");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: ".http file" }).press("Enter"),
    ]);
    const text = await readFile(await saved.path(), "utf8");
    expect(text).toContain(`@partnerKey = ${pages.service.demo.ramp.apiKey}\n`);
    expect(text).toContain(`@baseUrl = ${pages.service.demo.baseUrl}\n`);
    expect(saved.suggestedFilename()).toBe("countinghouse.http");
  });

  test("shows where a word is explained, says when it is nowhere, and shows all sections to a link", async () => {
    const page = await pages.show("#/reference", { height: 700 });
    const filter = page.getByLabel("Filter by word");
    const shown = page.locator("main h2:visible");
    const all = await shown.count();
    await filter.fill("Percent-ENCODE an ID");
    await eventually(() => shown.allTextContents()).toEqual(["Every request"]);
    await page.getByText("1 of 21 sections have it.").waitFor();
    await filter.fill("Exchange_rate");
    const row = page.getByRole("row", { name: "exchange_rate number" });
    await eventually(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - 350)).toBeLessThan(100);
    const marked =
      "[...CSS.highlights.get('found')].map((at) => at.startContainer.data.slice(at.startOffset, at.endOffset))";
    expect(new Set(await page.evaluate<readonly string[]>(marked))).toEqual(new Set(["exchange_rate"]));
    expect(await page.getByText("What a client has to know").isVisible()).toBe(false);
    await filter.fill("no such word");
    await page.getByRole("status").getByText("No section has “no such word”.").waitFor();
    expect(await shown.count()).toBe(0);
    await page.evaluate(`location.hash = "${HEADING}"`);
    await eventually(() => topOf(page, "List trades")).toBeLessThan(TOP_PX);
    expect(await shown.count()).toBe(all);
    await page.getByRole("link", { name: /^Try it.*{symbol}$/ }).press("Enter");
    await page.getByRole("heading", { name: "GET /1.0/trades/all/{symbol}" }).waitFor();
  });
});
