import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { RecentMap } from "../../lib/recent-map.ts";
import { collectGarbage } from "../../local/process/collect-garbage.ts";

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

test("a map that is never full keeps in memory no value that another has replaced", async () => {
  const map = new RecentMap<string, object>(10);
  const refs = Array.from({ length: 1_000 }, (_, index) => {
    const value = { index };
    map.set(`key ${index % 3}`, value);
    return new WeakRef(value);
  });
  // A reference that was just made holds its object until the running code has ended.
  await setImmediate();
  await collectGarbage();
  expect(refs.flatMap((ref) => ref.deref() ?? [])).toEqual([{ index: 997 }, { index: 998 }, { index: 999 }]);
  expect(map.get("key 0")).toEqual({ index: 999 });
});
