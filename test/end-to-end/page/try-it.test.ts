import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signedText } from "../../../lib/signature/canonical-request.ts";
import { partsOfUrl } from "../../../local/signing/sign-request.ts";
import { hasBrowser } from "../../support/browser.ts";
import {
  expectNoSidewaysScroll,
  expectNoViolations,
  type PageService,
  startPageService,
} from "../../support/page.ts";
import { blockOf, codeOf, eventually, tabTo } from "../../support/page-parts.ts";
import { pastedStatus } from "../../support/printed-curl.ts";

const ENDPOINTS = ["get-transaction", "list-transactions", "get-sell-order", "get-pass", "list-trades"];

const withoutBlanks = (text: string): string => text.replace(/\s+/g, "");

const sendButton = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

const unfold = (page: Page, title: string): Promise<void> => page.getByText(title, { exact: true }).click();

const LAPTOP = { width: 1_280, height: 900 };

/** How far down the page and some of its parts reach: the height of a window where nothing has to be scrolled. */
async function lowerEdge(page: Page, ...parts: readonly Locator[]): Promise<number> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
  return Math.max(whole, ...boxes.map((box) => (box === null ? Number.NaN : box.y + box.height)));
}

/** Sends what stands in the form, and waits for the answer to be shown. */
async function send(page: Page): Promise<{ readonly status: number; readonly text: string }> {
  return await answerTo(page, () => sendButton(page).click());
}

async function answerTo(page: Page, act: () => Promise<void>) {
  const isAnswer = (url: string): boolean => !new URL(url).pathname.startsWith("/_page/");
  const [response] = await Promise.all([page.waitForResponse((response) => isAnswer(response.url())), act()]);
  const status = response.status();
  await statusOf(page).getByText(`${status}`, { exact: false }).waitFor();
  return { status, text: status === 304 ? "" : await response.text() };
}

const answerOf = (page: Page) => page.getByRole("region", { name: "The answer" });
const statusOf = (page: Page) => answerOf(page).getByRole("status").first();
const refusalOf = (page: Page) => page.getByRole("region", { name: "Why it was refused" });
const credentialOf = (page: Page) => page.getByLabel("Credential", { exact: true });
const breakageOf = (page: Page) => page.getByLabel("Break on purpose");

/** The header of the request that is shown. */
const shownHeader = async (page: Page, name: string): Promise<string> =>
  new RegExp(`^${name}: (.*)$`, "m").exec(await codeOf(page, "As it is sent"))?.[1] ?? "";

describe.skipIf(!hasBrowser)("the screen to try an endpoint", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService();
  });
  afterAll(() => pages.close());

  test.each(ENDPOINTS)(
    "%s is asked with the demo's own values, and again by Enter, on one screen with every digit of the answer",
    async (name) => {
      const page = await pages.show(`#/try/${name}`, LAPTOP);
      await blockOf(page, "As it is sent").waitFor();
      expect(await lowerEdge(page)).toBe(LAPTOP.height);
      const { status, text } = await send(page);
      expect(status).toBe(200);
      expect(withoutBlanks(await codeOf(page, "Body"))).toBe(withoutBlanks(text));
      const again = await answerTo(page, () => page.locator("form input").first().press("Enter"));
      expect(again.status).toBe(200);
      expect(await lowerEdge(page, sendButton(page), blockOf(page, "Body"))).toBe(LAPTOP.height);
    },
  );

  test.each(ENDPOINTS)("the curl line for %s gets a 200 when it is pasted", async (name) => {
    const page = await pages.show(`#/try/${name}`);
    expect(await pastedStatus(await codeOf(page, "curl line"))).toBe("200");
  });

  test("the signed text is shown as the service verifies it, and follows what is typed", async () => {
    const page = await pages.show("#/try/list-trades");
    await unfold(page, "More parameters");
    await page.getByLabel("More of the query").fill("x=%41'b");
    await eventually(() => codeOf(page, "As it is sent")).toContain("x=%41%27b");
    const target = /^GET (\S+)/.exec(await codeOf(page, "As it is sent"))?.[1] ?? "";
    const { headerPrefix } = pages.service.demo.exchange;
    const timestamp = await shownHeader(page, `${headerPrefix}Timestamp`);
    const signed = signedText(partsOfUrl("GET", `${pages.origin}${target}`, timestamp));
    expect(await codeOf(page, "The text that is signed")).toBe(signed);
    // Refused for the parameter, and so not for the signature.
    expect(await send(page)).toMatchObject({ status: 400 });
  });

  test.each([
    ["question-mark", 401, "A ? was signed between path and query"],
    ["signature", 401, "No text that was tried has this signature"],
    ["text", 401, "No text that was tried has this signature"],
    ["late", 401, "behind the server's time"],
    ["early", 409, "the timestamp is in the future"],
  ])(
    "a signature that is broken by its %s is refused, and the reason is told",
    async (name, status, reason) => {
      const page = await pages.show("#/try/list-trades");
      await breakageOf(page).selectOption(name);
      expect((await send(page)).status).toBe(status);
      const refusal = refusalOf(page);
      await refusal.getByRole("heading", { name: "What is wrong with the signature" }).waitFor();
      await eventually(() => refusal.textContent()).toContain(reason);
      expect(await refusal.textContent()).not.toContain("What to do");
      expect(await refusal.locator("mark").allTextContents()).toEqual(
        { "question-mark": ["?"], text: [expect.stringMatching(/^.$/), "A"] }[name] ?? [],
      );
    },
  );

  test.each([
    ["get-transaction", "none", 401, "credentials"],
    ["get-transaction", "no-scope", 403, "scope"],
    ["get-transaction", "other", 404, "record"],
    ["get-sell-order", "other", 404, "record"],
    ["get-pass", "no-scope", 403, "scope"],
    ["list-trades", "no-scope", 403, "scope"],
  ])(
    "%s with the credential %s is refused by the check that is named",
    async (endpoint, credential, status, check) => {
      const page = await pages.show(`#/try/${endpoint}`);
      await credentialOf(page).selectOption(credential);
      expect((await send(page)).status).toBe(status);
      const refused = refusalOf(page)
        .getByRole("listitem")
        .filter({ hasText: /\? no\b/ });
      await eventually(() => refused.count()).toBe(1);
      expect(await refused.textContent()).toContain(check);
      await refusalOf(page).getByRole("heading", { name: "What to do" }).waitFor();
    },
  );

  test.each([
    ["get-sell-order", "good"],
    ["get-pass", "good"],
    ["get-pass", "jws"],
  ])("one byte of the credential of %s (%s) is enough for a 401", async (endpoint, credential) => {
    const page = await pages.show(`#/try/${endpoint}`);
    await credentialOf(page).selectOption(credential);
    await breakageOf(page).selectOption(credential === "jws" ? "signature" : "secret");
    expect((await send(page)).status).toBe(401);
  });

  test("another token is signed as it is wanted, and its fault is told", async () => {
    const page = await pages.open("#/try/get-transaction", { width: 360, height: 740 });
    const token = page.getByLabel("Access token");
    const expectRefusal = async (code: string, told: string): Promise<void> => {
      const before = await token.inputValue();
      await page.getByRole("button", { name: "Sign it" }).click();
      await eventually(() => token.inputValue()).not.toBe(before);
      await send(page);
      await eventually(() => refusalOf(page).textContent()).toContain(code);
      await eventually(() => refusalOf(page).textContent()).toContain(told);
    };
    await unfold(page, "Another token");
    await page.getByRole("link", { name: "List trades" }).focus();
    await tabTo(page, sendButton(page));
    await expectRefusal("invalid_credentials", "is the credential valid? no: the token has expired");
    await page.getByLabel("Seconds until it expires").fill("soon");
    await page.getByText("Give a whole number of seconds.").waitFor();
    await page.getByLabel("Seconds until it expires").fill("60");
    await page.getByLabel("scope", { exact: true }).fill("cards.read");
    await expectRefusal("insufficient_scope", "does it have the scope? no");
  });

  test("an answer of the gateway's own is told to be one", async () => {
    const page = await pages.show("#/try/get-sell-order");
    // A browser takes a path's segment of one dot out.
    await page.getByLabel("order_id (required)").fill(".");
    expect((await send(page)).status).toBe(404);
    await refusalOf(page).getByText("The gateway answered by itself, before any check").waitFor();
    await refusalOf(page).getByText("Check method and path").waitFor();
    await refusalOf(page).getByText("The order_id is missing").waitFor();
    expect(await answerOf(page).locator("dt").filter({ hasText: "X-Local-Warning" }).count()).toBe(0);
    await expectNoViolations(page);
  });

  test("an empty field that is required is told beside it, gets the focus, and nothing is sent", async () => {
    const page = await pages.show("#/try/get-sell-order");
    const sent: string[] = [];
    page.on("request", (request) => void sent.push(new URL(request.url()).pathname));
    const field = page.getByLabel("order_id (required)");
    await field.fill("");
    await sendButton(page).click();
    await page.getByRole("alert").getByText("order_id is required.").waitFor();
    await statusOf(page).getByText("Not sent. A field that is required is empty.").waitFor();
    await page.keyboard.type("x");
    expect(await page.getByRole("alert").getByText("order_id is required.").count()).toBe(0);
    expect((await answerTo(page, () => page.keyboard.press("Enter"))).status).toBe(400);
    expect(sent.filter((path) => path.startsWith("/sell-orders/"))).toEqual(["/sell-orders/x"]);
  });

  test("a request under way is told with its seconds, and stopped by the keyboard", async () => {
    const page = await pages.open("#/try/get-sell-order");
    await page.clock.install();
    await page.route("**/sell-orders/*", () => {}, { times: 1 });
    await sendButton(page).click();
    await page.clock.runFor(12_300);
    await statusOf(page).getByText("Waiting for the answer, 12 s").waitFor();
    await statusOf(page).getByRole("button", { name: "Stop" }).press("Enter");
    await answerOf(page).getByText("Stopped. You stopped waiting.").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("answer-title");
    expect((await send(page)).status).toBe(200);
  });

  test("a connection that broke is told to be one, and a service that has stopped too", async () => {
    const page = await pages.open("#/try/get-sell-order", { mayComplain: true });
    await page.route("**/sell-orders/*", (route) => route.abort());
    await sendButton(page).click();
    await answerOf(page).getByText("No answer. The connection broke before").waitFor();
    await page.route("**/_page/api/alive", (route) => route.abort());
    await page.keyboard.press("Enter");
    await answerOf(page).getByText("No answer. The local server does not answer.").waitFor();
  });

  test("a credential that no header can carry is told, and not sent", async () => {
    const page = await pages.show("#/try/get-transaction");
    await unfold(page, "Another token");
    await page.getByLabel("Access token").fill("schlüssel-№-1");
    await sendButton(page).click();
    await answerOf(page)
      .getByText("Not sent. Authorization has a character that a header cannot have")
      .waitFor();
  });

  test("a whole page of trades is shown with every digit", async () => {
    const page = await pages.show("#/try/list-trades");
    await page.getByLabel("limit", { exact: true }).fill("1900");
    const { text } = await send(page);
    expect(text.length).toBeGreaterThan(100_000);
    expect(withoutBlanks(await codeOf(page, "Body"))).toBe(withoutBlanks(text));
  });

  test("a link fills the form, and a way of asking that is deprecated is told to be so", async () => {
    const { requestId } = pages.service.demo.business;
    const page = await pages.show(`#/try/get-transaction?id=${requestId}&id_type=request_id`);
    await page.getByLabel("id_type (deprecated)").waitFor();
    expect((await send(page)).status).toBe(200);
    await answerOf(page).getByText("Deprecated since 2026-07-01: use what Link names.").waitFor();
    await answerOf(page).getByText("What replaces this way of asking.").waitFor();
  });

  test.each(["list-transactions", "list-trades"])(
    "the next page of %s is asked for by its cursor",
    async (name) => {
      const page = await pages.show(`#/try/${name}`);
      const first = await send(page);
      const next = page.getByRole("button", { name: "Next page" });
      const second = await answerTo(page, () => next.click());
      expect(second.status).toBe(200);
      expect(second.text).not.toBe(first.text);
      await page.getByLabel("cursor", { exact: true }).waitFor();
      expect(await page.getByLabel("cursor", { exact: true }).inputValue()).not.toBe("");
    },
  );

  test("a pass is asked for with a signature of the page, and then by its tag", async () => {
    const page = await pages.show("#/try/get-pass");
    await credentialOf(page).selectOption("jws");
    await blockOf(page, "Protected header").waitFor();
    expect((await send(page)).status).toBe(200);
    const again = page.getByRole("button", { name: "Ask again with this tag" });
    expect((await answerTo(page, () => again.click())).status).toBe(304);
  });

  test("a client certificate is for a program: its curl line works, and the page sends nothing", async () => {
    const page = await pages.show("#/try/get-pass");
    await credentialOf(page).selectOption("certificate");
    await page.getByText("A page cannot choose the client certificate").waitFor();
    expect(await pastedStatus(await codeOf(page, "curl line"))).toBe("200");
    expect(await sendButton(page).getAttribute("aria-disabled")).toBe("true");
  });

  test("a request is chosen, broken and sent by the keyboard alone", async () => {
    const page = await pages.open("#/try/get-transaction");
    await tabTo(page, page.getByRole("link", { name: "Get a sell order" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Try GET /sell-orders/{order_id}" }).waitFor();
    await tabTo(page, breakageOf(page));
    await page.keyboard.press("ArrowDown");
    await tabTo(page, sendButton(page));
    expect((await answerTo(page, () => page.keyboard.press("Enter"))).status).toBe(401);
  });

  test.each(ENDPOINTS)("%s fits into 360 pixels, with its answer", async (name) => {
    const page = await pages.show(`#/try/${name}`, { width: 360, height: 740 });
    await send(page);
    const leap = page.locator("form > :last-child", { hasText: "See the answer" });
    expect(await leap.textContent()).toContain("200");
    await leap.getByRole("link").click();
    const title = answerOf(page).getByRole("heading", { name: "The answer" });
    expect((await title.boundingBox())?.y).toBeLessThan(100);
    await expectNoSidewaysScroll(page);
  });
});
