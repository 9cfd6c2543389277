import { expect, test } from "vitest";
import { waitInSlices } from "../../../../ops/wallet/wait-in-slices.ts";

const TIMER_MS_MAX = 2 ** 31 - 1;

test("a wait of any length is made of parts that a timer can count, and lasts as long", async () => {
  for (const ms of [0, 1, TIMER_MS_MAX, TIMER_MS_MAX + 1, 999_999_999_000]) {
    const slices: number[] = [];
    await waitInSlices(ms, async (sliceMs) => void slices.push(sliceMs));
    expect(slices.reduce((sum, slice) => sum + slice, 0)).toBe(ms);
    expect(Math.max(0, ...slices)).toBeLessThanOrEqual(TIMER_MS_MAX);
  }
});

test("it ends with the part in which it is stopped", async () => {
  const stop = new AbortController();
  let slices = 0;
  const sleep = async (): Promise<void> => {
    slices += 1;
    stop.abort();
  };
  await waitInSlices(10 ** 12, sleep, stop.signal);
  expect(slices).toBe(1);
});
