import { expect, test } from "vitest";
import { RecentMap } from "../../lib/recent-map.ts";

function filled(...keys: string[]): RecentMap<string, string> {
  const map = new RecentMap<string, string>(2);
  for (const key of keys) map.set(key, `of ${key}`);
  return map;
}

const held = (map: RecentMap<string, string>): string[] =>
  ["a", "b", "c"].filter((key) => map.get(key) === `of ${key}`);

test("as many as it may hold are held, and of one more the first is forgotten", () => {
  expect(held(filled("a", "b"))).toEqual(["a", "b"]);
  expect(held(filled("a", "b", "c"))).toEqual(["b", "c"]);
});

test("what is set again is the latest; what is only looked at is not", () => {
  expect(held(filled("a", "b", "a", "c"))).toEqual(["a", "c"]);
  const map = filled("a", "b");
  map.get("a");
  map.set("c", "of c");
  expect(held(map)).toEqual(["b", "c"]);
});

test("what is deleted makes room for another", () => {
  const map = filled("a", "b");
  map.delete("b");
  map.set("c", "of c");
  expect(held(map)).toEqual(["a", "c"]);
});
