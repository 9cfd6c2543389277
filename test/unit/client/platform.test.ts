import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fromBase64, toBase64, toBase64Url } from "../../../client/src/base64.ts";
import { randomId, thisPlatform } from "../../../client/src/platform.ts";

const { sleep } = thisPlatform;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether a promise is still pending, or how it was settled. */
const stateOf = (promise: Promise<void>): Promise<string> =>
  Promise.race([
    promise.then(
      () => "resolved",
      (error: Error) => error.message,
    ),
    vi.advanceTimersByTimeAsync(0).then(() => "pending"),
  ]);

describe("a wait", () => {
  test("takes its time, and no longer", async () => {
    const wait = sleep(1_000);
    await vi.advanceTimersByTimeAsync(999);
    expect(await stateOf(wait)).toBe("pending");
    await vi.advanceTimersByTimeAsync(1);
    expect(await stateOf(wait)).toBe("resolved");
  });

  test("ends with its signal's reason, and leaves no timer behind", async () => {
    const stop = new AbortController();
    const state = stateOf(sleep(1_000, stop.signal));
    stop.abort(new Error("enough"));
    expect(await state).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not begin with a signal that is aborted", async () => {
    expect(await stateOf(sleep(1_000, AbortSignal.abort(new Error("enough"))))).toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not stay with its signal when it is over", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const wait = sleep(10, signal);
    await vi.advanceTimersByTimeAsync(10);
    await wait;
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });

  test("that is longer than a timer can take does not end at once", async () => {
    const wait = sleep(10 ** 12);
    await vi.advanceTimersByTimeAsync(10 ** 9);
    expect(await stateOf(wait)).toBe("pending");
  });
});

test("the clock and the chance are those of the machine", () => {
  vi.setSystemTime(1_795_554_000_000);
  expect(thisPlatform.now()).toBe(1_795_554_000_000);
  const drawn = new Set(Array.from({ length: 20 }, () => thisPlatform.random()));
  expect(drawn.size).toBeGreaterThan(1);
  for (const number of drawn) expect(number >= 0 && number < 1).toBe(true);
});

test("ids have 32 hex digits, and differ", () => {
  const ids = Array.from({ length: 200 }, randomId);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32}$/);
  expect(new Set(ids).size).toBe(200);
});

test("Base64 of both alphabets is written and read as the platform's buffers do", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      expect(toBase64(bytes)).toBe(buffer.toString("base64"));
      expect(toBase64Url(bytes)).toBe(buffer.toString("base64url"));
      expect(fromBase64(toBase64Url(bytes))).toEqual(bytes);
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }),
  );
});
