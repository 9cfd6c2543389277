import { expect, test } from "vitest";
import { PAGE_BYTES_MAX, PageBuilder } from "../../../lib/transactions/page-builder.ts";

const matchAt = (position: string, doc = position) => ({ doc, position });

test("a page of as many as were asked for has a next one only if there is a further match", () => {
  const page = new PageBuilder(2);
  expect(page.add(matchAt("3"))).toBe(true);
  expect(page.add(matchAt("2"))).toBe(true);
  expect(page.end(undefined)).toStrictEqual({ docs: ["3", "2"] });
  expect(page.add(matchAt("1"))).toBe(false);
  expect(page.full()).toEqual({ docs: ["3", "2"], next: "2" });
});

test("a page holds 4 MB of text, in bytes of UTF-8, and not one more", () => {
  const page = new PageBuilder(10);
  expect(page.add(matchAt("3", "é".repeat(PAGE_BYTES_MAX / 2)))).toBe(true);
  expect(page.add(matchAt("2", "a"))).toBe(false);
  expect(page.full().next).toBe("3");
});

test("quotes and backslashes count twice, as in the answer that a function returns", () => {
  const doc = JSON.stringify({ reference: '"\\'.repeat(5_000), note: "é\n\u2028€𝄞" });
  const page = new PageBuilder(1_000);
  let texts = 0;
  while (page.add(matchAt(String(9_999 - texts), doc))) texts += 1;
  // The runtime sends each text inside a JSON string.
  const inAnswer = Buffer.byteLength(JSON.stringify(doc)) - 2;
  expect(inAnswer).toBeGreaterThan(1.9 * Buffer.byteLength(doc));
  expect(texts).toBe(Math.floor(PAGE_BYTES_MAX / inAnswer));
});

test("a page whose search was cut off continues where it stopped, with or without matches", () =>
  expect(new PageBuilder(10).end("7")).toEqual({ docs: [], next: "7" }));
