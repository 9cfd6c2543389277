import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf } from "../../../../page/src/try-it/text-difference.ts";

const joined = (pieces: readonly { readonly text: string }[]): string =>
  pieces.map(({ text }) => text).join("");
const changed = (pieces: readonly { readonly text: string; readonly isChanged: boolean }[]): string =>
  joined(pieces.filter(({ isChanged }) => isChanged));

test("a character that one text lacks is marked in the other", () => {
  const { one, other } = differenceOf("GET/tradeslimit=5", "GET/trades?limit=5");
  expect([changed(one), changed(other)]).toEqual(["", "?"]);
});

test("equal texts differ nowhere", () => {
  const { one, other } = differenceOf("same", "same");
  expect(one).toEqual([{ text: "same", isChanged: false }]);
  expect(other).toEqual(one);
});

test("no text is lost, and the marked stretches are what differs", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (head, tail, middle, otherMiddle) => {
      const [text, otherText] = [head + middle + tail, head + otherMiddle + tail];
      const { one, other } = differenceOf(text, otherText);
      expect([joined(one), joined(other)]).toEqual([text, otherText]);
      expect(changed(one).length).toBeLessThanOrEqual(middle.length);
      expect(changed(one) === changed(other)).toBe(text === otherText);
    }),
  );
});
