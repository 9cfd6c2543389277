import { expect, test } from "vitest";
import { shownOwner } from "../../../../ops/terminal/shown-owner.ts";

test.each([
  ["fb", "fb"],
  ["Fabrik & Söhne", "Fabrik & Söhne"],
  [" fb  ", "\\u{20}fb\\u{20}\\u{20}"],
  ["fb\u200b", "fb\\u{200b}"],
  ["f\u00a0b\n", "f\\u{a0}b\\u{a}"],
])("the owner %j is shown as %s", (owner, shown) => expect(shownOwner(owner)).toBe(shown));
