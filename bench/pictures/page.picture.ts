import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { hasBrowser } from "../../test/support/browser.ts";
import { type PageService, startPageService } from "../../test/support/page.ts";
import { PORT, pictureFile } from "./place.ts";

const WIDTH = 1_000;
/** The room above what is at the top of a window. */
const MARGIN = 16;

interface Picture {
  readonly file: string;
  readonly hash: string;
  readonly colours: "light" | "dark";
  readonly height?: number;
  /** Brings the screen into its state, and returns what has to be at the top of the window; its beginning by default. */
  readonly show?: (page: Page) => Promise<Locator | undefined>;
}

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string | RegExp): Locator => page.getByRole("heading", { name });

async function sendFromForm(page: Page): Promise<Locator> {
  await button(page, "Send").click();
  const answer = page.getByRole("region", { name: "The answer" });
  await answer.getByRole("status").first().getByText(/\d{3}/).waitFor();
  return answer;
}

async function breakSignature(page: Page): Promise<Locator> {
  await page.getByLabel("Break on purpose").selectOption("question-mark");
  await sendFromForm(page);
  await page.getByText("A ? was signed between path and query").first().waitFor();
  return heading(page, "Why it was refused");
}

/** A week of trades, in which the chart shows a half, while a budget that was used up comes back. */
async function readMarket(page: Page): Promise<Locator> {
  await page.getByLabel("Time", { exact: true }).selectOption({ label: "7 days" });
  await page.getByText(/^Reading /).waitFor();
  await page.getByText("All trades are here.").first().waitFor({ timeout: 30_000 });
  await button(page, "Zoom in").click();
  await page.getByRole("button", { name: "Use it up (the budget of a minute)" }).click();
  await page.getByText("It goes on by itself in").last().waitFor();
  return heading(page, "BTC-USD: price and volume");
}

async function advanceOrder(page: Page): Promise<undefined> {
  await page.getByLabel("Record of the demo").selectOption({ label: "sell order · AWAITING DEPOSIT" });
  await button(page, "Advance to DEPOSIT_SEEN").click();
  await page.locator('[aria-current="step"]').getByText("DEPOSIT_SEEN").waitFor();
  await page.getByText("The sell order went from AWAITING_DEPOSIT to DEPOSIT_SEEN.").waitFor();
}

async function meetFault(page: Page): Promise<undefined> {
  await page.getByText("Listening").waitFor();
  await page.getByText("Faults on purpose").click();
  await page.getByLabel("Of the endpoint").selectOption("get-sell-order");
  await page.getByLabel("Fault", { exact: true }).selectOption("429");
  await button(page, "Set the fault").click();
  await page.getByRole("table", { name: "Faults that are on" }).waitFor();
  await page.getByText("Faults on purpose").click();
  const sender = await page.context().newPage();
  await sender.goto(page.url().replace(/#.*/, "#/try/get-sell-order"));
  await sendFromForm(sender);
  await sender.goto(page.url().replace(/#.*/, "#/try/list-transactions"));
  await sendFromForm(sender);
  await sender.close();
  await page.getByRole("listitem").filter({ hasText: "GET /transactions" }).first().waitFor();
}

const PICTURES: readonly Picture[] = [
  { file: "page-overview.png", hash: "#/", colours: "light" },
  { file: "page-try-it.png", hash: "#/try/get-sell-order", colours: "light", show: sendFromForm },
  { file: "page-refused.png", hash: "#/try/list-trades", colours: "dark", show: breakSignature },
  { file: "page-market.png", hash: "#/market", colours: "dark", height: 900, show: readMarket },
  { file: "page-records.png", hash: "#/records", colours: "light", show: advanceOrder },
  { file: "page-log.png", hash: "#/log", colours: "dark", height: 1_000, show: meetFault },
];

describe.skipIf(!hasBrowser)("docs/images", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService({ port: PORT });
  });
  afterAll(() => pages.close());

  test.each(PICTURES)(
    "$file shows $hash in $colours colours",
    async ({ file, hash, colours, height = 760, show }) => {
      const { page, close } = await pages.open(hash, { width: WIDTH, height, colours });
      const top = await show?.(page);
      await top?.evaluate((element, margin) => {
        element.scrollIntoView({ block: "start" });
        element.ownerDocument.defaultView?.scrollBy(0, -margin);
      }, MARGIN);
      await page.screenshot({ path: pictureFile(file), animations: "disabled", caret: "hide" });
      await close();
    },
  );
});
