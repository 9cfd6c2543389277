import { describe, expect, test } from "vitest";
import {
  cameBack,
  cameInTime,
  type Impatience,
  patient,
  toldToWait,
} from "../../../lib/rate-limit/impatience.ts";

const NOW = 1_000_000;
const told = toldToWait(patient, NOW + 1_000);

const comeBack = (from: Impatience, times: number, now = NOW, draw = 0.5): Impatience =>
  Array.from({ length: times }).reduce<Impatience>((state) => cameBack(state, now, draw), from);

describe("silences", () => {
  test("the fourth request inside a wait starts one, the third does not", () => {
    expect(comeBack(told, 3).silentUntil).toBe(0);
    expect(comeBack(told, 4).silentUntil).toBe(NOW + 50);
  });

  test("requests are counted anew after one that came when no wait was left", () => {
    let state = told;
    for (let round = 0; round < 10; round += 1) state = cameInTime(comeBack(state, 3), NOW);
    expect(comeBack(state, 3).silentUntil).toBe(0);
    expect(comeBack(state, 4).silentUntil).toBe(NOW + 50);
  });

  test("the first request inside a wait starts the next one when four came inside the last, else the fourth does", () => {
    const silenced = (returns: number) => cameInTime(comeBack(comeBack(told, 4), returns), NOW + 50);
    expect(comeBack(silenced(4), 1, NOW + 50).silentUntil).toBe(NOW + 150);
    expect(comeBack(silenced(3), 3, NOW + 50).silentUntil).toBe(0);
    expect(comeBack(silenced(3), 4, NOW + 50).silentUntil).toBe(NOW + 100);
  });

  test("are doubled from 50 ms up to 1,600 ms", () => {
    const lengths: number[] = [];
    let state = told;
    for (let now = NOW; lengths.length < 8; now = state.silentUntil) {
      state = comeBack(state, lengths.length === 0 ? 4 : 1, now);
      lengths.push(state.silentUntil - now);
      state = cameInTime(comeBack(state, 4, now), state.silentUntil);
    }
    expect(lengths).toEqual([50, 100, 200, 400, 800, 1_600, 1_600, 1_600]);
  });

  test("are spread by half their length to either side", () => {
    expect(comeBack(told, 4, NOW, 0).silentUntil).toBe(NOW + 25);
    expect(comeBack(told, 4, NOW, 1).silentUntil).toBe(NOW + 75);
  });

  test("do not end a longer wait that was told", () => {
    expect(comeBack(told, 4).toldUntil).toBe(NOW + 1_000);
  });

  test("an owner that keeps one is credited once for it", () => {
    const silent = comeBack(cameInTime(comeBack(comeBack(told, 4), 4), NOW + 50), 1, NOW + 50);
    expect(silent.level).toBe(2);
    const kept = cameInTime(silent, NOW + 2_000);
    expect(kept.level).toBe(1);
    expect(cameInTime(kept, NOW + 2_001).level).toBe(1);
  });

  test("are forgotten ten seconds after the last request that was one too many, while the wait goes on", () => {
    const silent = comeBack(comeBack(told, 4), 4);
    const forgotten = { ...patient, toldUntil: NOW + 1_000 };
    expect(cameInTime(silent, NOW + 10_000)).not.toEqual(forgotten);
    expect(cameInTime(silent, NOW + 10_001)).toEqual(forgotten);
  });
});
