import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** A machine that does much else at the same time takes its time. */
const PATIENCE_MS = 15_000;

/** Expects something of what the page comes to show. */
export const eventually = <Shown>(read: () => Shown | Promise<Shown>) =>
  expect.poll(read, { timeout: PATIENCE_MS });

/** The text of a block of code of the page, byte for byte, by the label above it. */
export const codeOf = async (page: Page, label: string): Promise<string> =>
  (await blockOf(page, label).locator("pre").textContent()) ?? "";

/** A block of code of the page, by the label above it. */
export const blockOf = (page: Page, label: string): Locator =>
  page.locator("figure").filter({ has: page.locator("figcaption > span").getByText(label, { exact: true }) });

/** Whether the middle of what has the focus is covered by something else, or out of sight. */
const COVERED = `(() => {
  const { activeElement: focused } = document;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return !focused.contains(seen) && !seen?.contains(focused);
})()`;

/**
 * Presses Tab until a control is reached, as a visitor without a mouse does. Expects that each control on the way can be
 * seen while it has the focus.
 */
export async function tabTo(page: Page, target: Locator, steps = 60): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press("Tab");
    await eventually(() => page.evaluate<boolean>(COVERED)).toBe(false);
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`The keyboard does not reach it within ${steps} steps.`);
}
