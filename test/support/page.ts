import axe, { type AxeResults } from "axe-core";
import type { Browser, Page as BrowserPage } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { type Service, startService } from "../../local/local-service.ts";
import type { ServiceOptions } from "../../local/options.ts";
import { startBrowser } from "./browser.ts";
import { filledDataDirectory } from "./filled-demo.ts";
import { serviceOptions } from "./service-options.ts";

/** The first start on a slow machine builds the page meanwhile. */
const BUILD_MS_MAX = 50_000;

/** The whole local service with its page, and a browser to look at it. */
export interface PageService {
  readonly service: Service;
  /** The origin that the page is opened from, such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly dataDir: string;
  readonly browser: Browser;
  /**
   * Opens the page at a hash such as `#/market`, in a window of its own, and waits until its screen is there. The window is
   * closed when the test has ended.
   */
  open(hash?: string, view?: View): Promise<BrowserPage>;
  /** The same for several tests, which close it when the last has ended. */
  openWindow(hash?: string, view?: View): Promise<OpenedPage>;
  /**
   * Shows a screen anew in one window of the whole file, without loading the page again, which takes longer than a short
   * test. For tests that leave the window's clock, its storage and its requests alone.
   */
  show(hash: string, size?: Pick<View, "width" | "height">): Promise<BrowserPage>;
  /** Ends browser and service. */
  close(): Promise<void>;
}

/** How a window looks at the page; the defaults are those of a laptop in daylight. */
interface View {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: "light" | "dark";
  /** Whether browser and server may complain, because the test breaks a connection. */
  readonly mayComplain?: boolean;
}

/** A window with the page. */
interface OpenedPage {
  readonly page: BrowserPage;
  /**
   * Closes the window. A complaint on its console, an error of a script, or a request to another host is thrown: no test
   * of a screen need look for them.
   */
  readonly close: () => Promise<void>;
}

/**
 * Starts `npm start` with its page on free ports, in a directory of its own with the demo, and a browser. One test file needs one of
 * both. The page is built from the sources unless an earlier start has built the same.
 */
export async function startPageService(options: Partial<ServiceOptions> = {}): Promise<PageService> {
  const dataDir = await filledDataDirectory();
  const complaints: string[] = [];
  const log = (name: string, line: string): void => {
    if (name === "page") complaints.push(line);
  };
  const service = await startService(
    { ...serviceOptions(dataDir), hasPage: true, ...options },
    { progress: () => {}, log },
  );
  const browser = await startBrowser();
  const { origin } = new URL(service.demo.baseUrl);
  const openWindow = async (hash = "#/", view: View = {}): Promise<OpenedPage> => {
    const { width = 1_100, height = 800, colours = "light", mayComplain = false } = view;
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: colours });
    const page = await context.newPage();
    const faults = watchFaults(page, origin);
    await page.goto(`${origin}/${hash}`);
    // While the page is being built, the document says so, and loads itself again.
    await page.locator("main h1").first().waitFor({ timeout: BUILD_MS_MAX });
    const close = async (): Promise<void> => {
      await context.close();
      if (!mayComplain) expect([...complaints, ...faults], "what server and browser complain of").toEqual([]);
    };
    return { page, close };
  };
  let shared: Promise<OpenedPage> | undefined;
  return {
    service,
    origin,
    dataDir,
    browser,
    openWindow,
    open: async (...how) => {
      const { page, close } = await openWindow(...how);
      onTestFinished(close);
      return page;
    },
    show: async (hash, { width = 1_100, height = 800 } = {}) => {
      shared ??= openWindow(NOWHERE);
      const { page } = await shared;
      await page.setViewportSize({ width, height });
      await showAnew(page, hash);
      return page;
    },
    close: async () => {
      try {
        await (await shared)?.close();
      } finally {
        await browser.close();
        await service.close();
      }
    },
  };
}

/** An address that has no screen: a screen that is left for it begins anew. */
const NOWHERE = "#/nowhere";

async function showAnew(page: BrowserPage, hash: string): Promise<void> {
  const nowhere = page.getByRole("heading", { name: "There is no such screen" });
  await page.evaluate(`location.hash = "${NOWHERE}"`);
  await nowhere.waitFor();
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await nowhere.waitFor({ state: "detached" });
  await page.locator("main h1").first().waitFor();
}

/** Notes what a window complains of, and which other hosts it asks. */
function watchFaults(page: BrowserPage, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => void faults.push(error.stack ?? error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) faults.push(`asks ${url}`);
  });
  return faults;
}

/** The browser's note on each answer of 400 and above, or that a fault has cut off, which the page shows as what it is. */
const isRefusal = (text: string): boolean =>
  /^Failed to load resource: (?:the server responded|net::ERR_CONTENT_LENGTH_MISMATCH$)/.test(text);

/**
 * Expects that axe-core finds nothing wrong in what a window shows (all rules of WCAG 2.2 A and AA, and axe's own of good
 * practice).
 *
 * @param rules axe's names of the only rules that are judged; all by default.
 */
export async function expectNoViolations(page: BrowserPage, rules?: readonly string[]): Promise<void> {
  // Evaluated, and not added as a script: the policy of the document admits no inline script.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`{ ${axe.source} }; undefined`);
  const options = { resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
  // Of what is in order, which is thousands of elements, nothing is sent here: that would take longer than to look.
  const violations = await page.evaluate<AxeResults["violations"]>(
    `axe.run("html", ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`),
  );
  expect(found).toEqual([]);
}

/** Expects that nothing makes the page wider than its window. */
export async function expectNoSidewaysScroll(page: BrowserPage): Promise<void> {
  const [wide, seen] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, innerWidth]",
  );
  expect(wide).toBeLessThanOrEqual(seen);
}

/** Expects that each text is whole between the edges of the window, and of whatever else would cut or scroll it. */
export async function expectNoTextCut(page: BrowserPage): Promise<void> {
  expect(await page.evaluate<readonly string[]>(CUT_TEXTS)).toEqual([]);
}

/** What a control holds may be longer than it. What is for screen readers alone is cut by intent. */
const CUT_TEXTS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (data.trim() === "" || parentElement.closest("select, noscript") || !parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    const { left, right } = range.getBoundingClientRect();
    const boxes = [];
    for (let box = parentElement; box !== document.body; box = box.parentElement) boxes.push(box);
    const styles = boxes.map((box) => getComputedStyle(box));
    if (styles.some(({ clipPath }) => clipPath !== "none")) continue;
    const edges = boxes.filter((_, at) => styles[at].overflowX !== "visible").map((box) => box.getBoundingClientRect());
    const isCut = [{ left: 0, right: innerWidth }, ...edges].some((edge) => left < edge.left - 1 || right > edge.right + 1);
    if (isCut) found.push(data.trim().slice(0, 80));
  }
  return found;
})()`;
