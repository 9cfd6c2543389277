import { describe, expect, test } from "vitest";
import { entityTag, matchesIfNoneMatch } from "../../../lib/passes/entity-tag.ts";

const TAG = entityTag("2026-07-01", '{"version":1}');

describe("an entity tag", () => {
  test("is strong, quoted, and the same for the same body and version", () => {
    expect(TAG).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    expect(entityTag("2026-07-01", '{"version":1}')).toBe(TAG);
  });

  test("differs for another body, and for the same body in another contract version", () => {
    expect(entityTag("2026-07-01", '{"version":2}')).not.toBe(TAG);
    expect(entityTag("2027-01-01", '{"version":1}')).not.toBe(TAG);
  });
});

describe("If-None-Match names the current tag", () => {
  test.each([
    ["alone", TAG],
    ["as a weak one", `W/${TAG}`],
    ["in a list", `"a",${TAG},"b"`],
    ["after a tag with a comma inside", `"a,b", ${TAG}`],
    ["after a tag with a backslash before its end", `"a\\", ${TAG}`],
    ["after an empty tag", `"", ${TAG}`],
    ["with spaces and tabs around it", ` \t ${TAG} \t `],
    ["between empty elements", `, ,${TAG},,`],
    ["after a tag with a letter beyond ASCII", `"\u00e9", ${TAG}`],
    ["as any", "*"],
    ["as any, with spaces", " * "],
  ])("%s", (_, header) => {
    expect(matchesIfNoneMatch(header, TAG)).toBe(true);
  });
});

describe("If-None-Match does not name the current tag", () => {
  const bare = TAG.slice(1, -1);
  test.each([
    ["absent", undefined],
    ["empty", ""],
    ["other tags", '"a", W/"b"'],
    ["without its quotes", bare],
    ["in single quotes", `'${bare}'`],
    ["in another case", TAG.toUpperCase()],
    ["with a lower-case w", `w/${TAG}`],
    ["with a space after the W/", `W/ ${TAG}`],
    ["with text before the quote", `x${TAG}`],
    ["with text after the quote", `${TAG}x`],
    ["as a part of another tag", `"x${bare}"`],
    ["inside the quotes of another tag", `"a,${bare},b"`],
    ["without a comma between two tags", `"a" ${TAG}`],
    ["beside a star", `*, ${TAG}`],
    ["in a list with something that is not a tag", `${TAG}, nonsense`],
    ["with a quote that is never closed", `${TAG}, "a`],
    ["a star in quotes", '"*"'],
  ])("%s", (_, header) => {
    expect(matchesIfNoneMatch(header, TAG)).toBe(false);
  });
});

test("a header of ten thousand spaces is read in one pass", () => {
  expect(matchesIfNoneMatch(`${" ".repeat(10_000)}x`, TAG)).toBe(false);
  expect(matchesIfNoneMatch(`${", ".repeat(5_000)}${TAG}`, TAG)).toBe(true);
});
