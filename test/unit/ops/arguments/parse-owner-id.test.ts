import { describe, expect, test } from "vitest";
import { parseOwnerId, parseStoredOwner, parseSubject } from "../../../../ops/arguments/parse-owner-id.ts";

const odd = ["acme\u0000", "acme\n", "acme\u001b[2J", "acme ", "acme\u200b"];

describe("an owner that an operator names", () => {
  test.each(odd)("gets no records and no keys as %j, and is found, blocked and erased by it", (id) => {
    expect(() => parseOwnerId(id)).toThrow("none of them invisible");
    expect([parseSubject(id), parseStoredOwner(id)]).toEqual([id, id]);
  });

  test.each(["acme", "Ünïcode 株式会社", "a b", "x".repeat(256)])("may be %j", (id) => {
    expect(parseOwnerId(id)).toBe(id);
  });

  test.each(["", "\ud800"])("is text and not empty, unlike %j", (id) => {
    for (const parse of [parseOwnerId, parseSubject, parseStoredOwner])
      expect(() => parse(id)).toThrow(RangeError);
  });
});
