import { describe, expect, it } from "vitest";
import type { Interval } from "../../../../bench/soak/interval.ts";
import { verdictOf } from "../../../../bench/soak/verdict.ts";

const quiet: Omit<Interval, "endS"> = {
  requests: 1_000,
  limited: 0,
  refused: 0,
  failed: 0,
  latency: { count: 1_000, p50: 10, p95: 20, p99: 30, max: 40 },
  byEndpoint: {},
  residentMb: 800,
  openFiles: 300,
};

/** Thirty intervals of a minute; `change` is told the share of the time that has passed. */
const soakOf = (change: (share: number) => Partial<Interval> = () => ({})): Interval[] =>
  Array.from({ length: 30 }, (_, at) => ({ ...quiet, endS: 60 * (at + 1), ...change(at / 29) }));

const badOf = (intervals: readonly Interval[], failedChores: readonly string[] = []): string[] =>
  verdictOf(intervals, failedChores)
    .filter(({ isGood }) => !isGood)
    .map(({ what }) => what);

const latency = (p95: number) => ({ latency: { ...quiet.latency, p95 } });

describe("the verdict on a soak", () => {
  it("finds nothing in a service that stayed as it was", () => {
    expect(badOf(soakOf())).toEqual([]);
  });

  it.each([
    ["a single answer of status 500", "answers", (share: number) => ({ failed: share === 1 ? 1 : 0 })],
    [
      "a single refusal of a right request",
      "credentials",
      (share: number) => ({ refused: share === 0 ? 1 : 0 }),
    ],
    ["memory that grows all the time", "memory", (share: number) => ({ residentMb: 800 + 400 * share })],
    ["latency that grows all the time", "latency", (share: number) => latency(20 + 40 * share)],
    ["files that are never closed", "open files", (share: number) => ({ openFiles: 300 + 200 * share })],
  ])("names %s", (_, what, change) => {
    expect(badOf(soakOf(change))).toEqual([what]);
  });

  it("names a chore that failed", () => {
    expect(badOf(soakOf(), ["keys rotate: no"])).toEqual(["chores"]);
  });

  it("names a service that ended by itself, whatever was answered before", () => {
    const bad = verdictOf(soakOf(), [], true).filter(({ isGood }) => !isGood);
    expect(bad.map(({ what }) => what)).toEqual(["service"]);
  });

  it("judges growth by the settled time alone", () => {
    expect(badOf(soakOf((share) => ({ residentMb: share < 0.15 ? 300 : 800 })))).toEqual([]);
  });

  it("is not misled by one slow minute", () => {
    expect(badOf(soakOf((share) => latency(share === 1 ? 4_000 : 20)))).toEqual([]);
  });

  it("says that a short soak shows no growth", () => {
    const short = soakOf((share) => ({ residentMb: 800 + 4_000 * share })).slice(0, 5);
    expect(badOf(short)).toEqual([]);
    expect(verdictOf(short, []).map(({ text }) => text)).toContainEqual(expect.stringMatching(/^not judged/));
  });
});
