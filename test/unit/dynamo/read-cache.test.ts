import { expect, test } from "vitest";
import { ReadCache } from "../../../lib/dynamo/read-cache.ts";

function cacheAt() {
  let now = 0;
  const cache = new ReadCache<string>(
    () => now,
    () => now,
  );
  let reads = 0;
  const get = (key: string, value: string | undefined, freshMs?: number) =>
    cache.get(
      key,
      async () => {
        reads += 1;
        return value;
      },
      freshMs,
    );
  return {
    get,
    cache,
    reads: () => reads,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test("a value is remembered for less than five seconds, and read again at five", async () => {
  const { get, advance } = cacheAt();
  expect(await get("k", "old")).toBe("old");
  advance(4_999);
  expect(await get("k", "new")).toBe("old");
  advance(1);
  expect(await get("k", "new")).toBe("new");
});

test("a question may want a value younger than five seconds, and leaves it to others if the read fails", async () => {
  const { get, cache, advance } = cacheAt();
  await get("k", "old");
  advance(1_000);
  expect(await get("k", "new", 1_001)).toBe("old");
  await expect(cache.get("k", () => Promise.reject(new Error("down")), 1_000)).rejects.toThrow("down");
  expect(await get("k", "new")).toBe("old");
  expect(await get("k", "new", 1_000)).toBe("new");
  advance(1_000);
  expect(await get("k", undefined, 1_000)).toBeUndefined();
  expect(await get("k", "again")).toBe("again");
});

test("an absent value is never remembered", async () => {
  const { get } = cacheAt();
  expect(await get("k", undefined)).toBeUndefined();
  expect(await get("k", "created")).toBe("created");
});

test("a value that was seen to be gone does not come back, even when the clock is set back", async () => {
  const { get, advance } = cacheAt();
  await get("k", "revoked");
  advance(5_000);
  expect(await get("k", undefined)).toBeUndefined();
  advance(-4_999);
  expect(await get("k", undefined)).toBeUndefined();
});

test("the error of a failed read is thrown, and no stale value replaces it", async () => {
  const { get, cache, advance } = cacheAt();
  await get("k", "old");
  advance(5_000);
  await expect(cache.get("k", () => Promise.reject(new Error("store down")))).rejects.toThrow("store down");
});

test("a thousand keys are remembered; of one more, the least recently used is forgotten", async () => {
  const { get, reads } = cacheAt();
  for (let key = 0; key < 1_000; key += 1) await get(`k${key}`, "v");
  await get("k0", "v");
  expect(reads()).toBe(1_000);
  await get("k1000", "v");
  await get("k0", "v");
  expect(reads()).toBe(1_001);
  await get("k1", "v");
  expect(reads()).toBe(1_002);
});
