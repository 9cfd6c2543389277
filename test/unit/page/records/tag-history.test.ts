import { describe, expect, test } from "vitest";
import { lastTagOf, meaningOf } from "../../../../page/src/records/tag-history.ts";

const reading = (status: number, tag?: string, sentTag?: string) => ({ status, tag, sentTag });

describe("what a reading says", () => {
  test.each([
    ["the first one", reading(200, '"a"'), undefined, "the pass, with its tag"],
    ["a new version", reading(200, '"b"', '"a"'), '"a"', "changed: a new tag"],
    ["the same version without a tag sent", reading(200, '"a"'), '"a"', "the same pass once more"],
    ["an unchanged pass", reading(304, '"a"', '"a"'), '"a"', "not changed since this tag"],
    ["a voided pass", reading(410, undefined, '"a"'), '"a"', "voided for good: stop asking"],
    ["any other answer", reading(503), '"a"', "no pass"],
  ])("%s", (_, given, knownTag, meaning) => {
    expect(meaningOf(given, knownTag)).toBe(meaning);
  });
});

test("the last tag is that of the last answer that had one", () => {
  expect(lastTagOf([])).toBeUndefined();
  expect(lastTagOf([reading(200, '"a"'), reading(200, '"b"'), reading(503)])).toBe('"b"');
});
