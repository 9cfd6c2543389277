import { describe, expect, test } from "vitest";
import {
  afterEarlyRetry,
  afterRefusal,
  afterTimelyRequest,
  type EarlyRetries,
  noEarlyRetries,
} from "../../../lib/rate-limit/early-retries.ts";

const NOW = 1_000_000;
const told = afterRefusal(noEarlyRetries, NOW + 1_000);

const retryEarly = (from: EarlyRetries, times: number, now = NOW, draw = 0.5): EarlyRetries =>
  Array.from({ length: times }).reduce<EarlyRetries>((state) => afterEarlyRetry(state, now, draw), from);

describe("blocks", () => {
  test("the fourth request inside a wait starts one, the third does not", () => {
    expect(retryEarly(told, 3).blockedUntil).toBe(0);
    expect(retryEarly(told, 4).blockedUntil).toBe(NOW + 50);
  });

  test("the count begins again after a request that came when no wait was left", () => {
    let state = told;
    for (let round = 0; round < 10; round += 1) state = afterTimelyRequest(retryEarly(state, 3), NOW);
    expect(retryEarly(state, 3).blockedUntil).toBe(0);
    expect(retryEarly(state, 4).blockedUntil).toBe(NOW + 50);
  });

  test("the first request inside a wait starts the next one when four came inside the last, else the fourth does", () => {
    const blocked = (times: number) => afterTimelyRequest(retryEarly(retryEarly(told, 4), times), NOW + 50);
    expect(retryEarly(blocked(4), 1, NOW + 50).blockedUntil).toBe(NOW + 150);
    expect(retryEarly(blocked(3), 3, NOW + 50).blockedUntil).toBe(0);
    expect(retryEarly(blocked(3), 4, NOW + 50).blockedUntil).toBe(NOW + 100);
  });

  test("are doubled from 50 ms up to 1,600 ms", () => {
    const lengths: number[] = [];
    let state = told;
    for (let now = NOW; lengths.length < 8; now = state.blockedUntil) {
      state = retryEarly(state, lengths.length === 0 ? 4 : 1, now);
      lengths.push(state.blockedUntil - now);
      state = afterTimelyRequest(retryEarly(state, 4, now), state.blockedUntil);
    }
    expect(lengths).toEqual([50, 100, 200, 400, 800, 1_600, 1_600, 1_600]);
  });

  test("are spread by half their length to either side", () => {
    expect(retryEarly(told, 4, NOW, 0).blockedUntil).toBe(NOW + 25);
    expect(retryEarly(told, 4, NOW, 1).blockedUntil).toBe(NOW + 75);
  });

  test("do not end a longer wait that was told", () => {
    expect(retryEarly(told, 4).toldUntil).toBe(NOW + 1_000);
  });

  test("an owner that keeps one is credited once for it", () => {
    const blocked = retryEarly(afterTimelyRequest(retryEarly(retryEarly(told, 4), 4), NOW + 50), 1, NOW + 50);
    expect(blocked.level).toBe(2);
    const kept = afterTimelyRequest(blocked, NOW + 2_000);
    expect(kept.level).toBe(1);
    expect(afterTimelyRequest(kept, NOW + 2_001).level).toBe(1);
  });

  test("are forgotten ten seconds after the last excess request, while the wait goes on", () => {
    const blocked = retryEarly(retryEarly(told, 4), 4);
    const forgotten = { ...noEarlyRetries, toldUntil: NOW + 1_000 };
    expect(afterTimelyRequest(blocked, NOW + 10_000)).not.toEqual(forgotten);
    expect(afterTimelyRequest(blocked, NOW + 10_001)).toEqual(forgotten);
  });
});
