import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { hasBrowser } from "../../test/support/browser.ts";
import { type PageService, startPageService } from "../../test/support/page.ts";
import { PORT, pictureFile } from "./place.ts";

const SIZE = { width: 1_100, height: 800 };

interface Picture {
  readonly file: string;
  readonly hash: string;
  readonly colours: "light" | "dark";
  /** Brings the screen into its state. */
  readonly show?: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

const firstAnswer = (page: Page): Promise<void> =>
  page.getByText("Its answer just now: 200").first().waitFor();

const filterReference = (page: Page): Promise<void> => page.getByLabel("Filter by word").fill("signature");

async function sendFromForm(page: Page): Promise<void> {
  await button(page, "Send").click();
  const answer = page.getByRole("region", { name: "The answer" });
  await answer.getByRole("status").first().getByText(/\d{3}/).waitFor();
}

async function breakSignature(page: Page): Promise<void> {
  await page.getByLabel("Break on purpose").selectOption("question-mark");
  await sendFromForm(page);
  await page.getByText("A ? was signed between path and query").first().waitFor();
}

/** A week of trades, of which the chart shows a half. */
async function readMarket(page: Page): Promise<void> {
  await page.getByLabel("Time", { exact: true }).selectOption({ label: "7 days" });
  await page.getByText(/^Reading /).waitFor();
  await page.getByText("All trades are here.").first().waitFor({ timeout: 30_000 });
  await button(page, "Zoom in").click();
}

async function advanceOrder(page: Page): Promise<void> {
  await page.getByLabel("Record of the demo").selectOption({ label: "sell order · AWAITING DEPOSIT" });
  await button(page, "Advance to DEPOSIT_SEEN").click();
  await page.locator('[aria-current="step"]').getByText("DEPOSIT_SEEN").waitFor();
  await page.getByText("The sell order went from AWAITING_DEPOSIT to DEPOSIT_SEEN.").waitFor();
}

async function meetFault(page: Page): Promise<void> {
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
  { file: "page-overview.png", hash: "#/", colours: "light", show: firstAnswer },
  { file: "page-try-it.png", hash: "#/try/get-sell-order", colours: "light", show: sendFromForm },
  { file: "page-refused.png", hash: "#/try/list-trades", colours: "dark", show: breakSignature },
  { file: "page-market.png", hash: "#/market", colours: "dark", show: readMarket },
  { file: "page-records.png", hash: "#/records", colours: "light", show: advanceOrder },
  { file: "page-log.png", hash: "#/log", colours: "dark", show: meetFault },
  { file: "page-reference.png", hash: "#/reference", colours: "light", show: filterReference },
];

describe.skipIf(!hasBrowser)("docs/images", () => {
  let pages: PageService;
  beforeAll(async () => {
    pages = await startPageService({ port: PORT });
  });
  afterAll(() => pages.close());

  test.each(PICTURES)("$file shows $hash in $colours colours", async ({ file, hash, colours, show }) => {
    const page = await pages.open(hash, { ...SIZE, colours });
    await show?.(page);
    await page.screenshot({ path: pictureFile(file), animations: "disabled", caret: "hide" });
  });
});
