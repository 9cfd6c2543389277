import { expect, test } from "vitest";
import { keptLinks } from "../../../../publish/package/kept-links.ts";

const there = new Set(["docs/a.md", "docs/deep/b.md", "docs/examples/records"]);
const kept = (text: string, path = "docs/a.md"): string => keptLinks(text, path, (place) => there.has(place));

test.each([
  "[b](deep/b.md)",
  "[records](examples/records)",
  "[part](a.md#part) and [here](#here)",
  "[site](https://example.com/x.md)",
])("%s stays a link", (text) => {
  expect(kept(text)).toBe(text);
});

test.each([
  ["[The client](../client/README.md) signs.", "The client (`client/README.md` of the project) signs."],
  ["[part](examples/README.md#start)", "part (`docs/examples/README.md` of the project)"],
  ["[`client/README.md`](../client/README.md)", "`client/README.md`"],
])("%s, which is not there, becomes words", (text, words) => {
  expect(kept(text)).toBe(words);
});

test("a place is told from the document's own folder", () => {
  expect(kept("[up](../a.md)", "docs/deep/b.md")).toBe("[up](../a.md)");
  expect(kept("[up](../../a.md)", "docs/deep/b.md")).toBe("up (`a.md` of the project)");
});
