import { expect, test } from "vitest";
import { RecentMap } from "../../lib/recent-map.ts";

function filled(...keys: string[]): RecentMap<string, string> {
  const map = new RecentMap<string, string>(2);
  for (const key of keys) map.set(key, `of ${key}`);
  return map;
}

const held = (map: RecentMap<string, string>): string[] =>
  ["a", "b", "c"].filter((key) => map.get(key) === `of ${key}`);

test("a full map forgets its oldest entry for a new one", () => {
  expect(held(filled("a", "b"))).toEqual(["a", "b"]);
  expect(held(filled("a", "b", "c"))).toEqual(["b", "c"]);
});

test("an entry that is set again is the latest; one that is only read is not", () => {
  expect(held(filled("a", "b", "a", "c"))).toEqual(["a", "c"]);
  const map = filled("a", "b");
  map.get("a");
  map.set("c", "of c");
  expect(held(map)).toEqual(["b", "c"]);
});

test("a deleted entry makes room for another", () => {
  const map = filled("a", "b");
  map.delete("b");
  map.set("c", "of c");
  expect(held(map)).toEqual(["a", "c"]);
});
