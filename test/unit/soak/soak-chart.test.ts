import { describe, expect, it } from "vitest";
import type { Interval } from "../../../soak/interval.ts";
import { soakChart } from "../../../soak/soak-chart.ts";

const intervalAt = (endS: number, residentMb: number): Interval => ({
  endS,
  requests: 100,
  limited: 0,
  refused: 0,
  failed: 0,
  latency: { count: 100, p50: 5, p95: 20, p99: 30, max: 60 },
  byEndpoint: {},
  residentMb,
  openFiles: 300,
});

/** The points of the line in the panel with a title. */
function pointsOf(svg: string, title: string): number[][] {
  const panel = svg.slice(svg.indexOf(title));
  const [, points = ""] = /points="([^"]*)"/.exec(panel) ?? [];
  return points.split(" ").map((point) => point.split(",").map(Number));
}

describe("the chart of a soak", () => {
  it("draws each value at its height and its time", () => {
    const svg = soakChart([intervalAt(60, 500), intervalAt(120, 1_000)]);
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = pointsOf(svg, "Resident memory");
    const top = y2;
    const bottom = top + 130;
    expect(y1).toBeCloseTo((top + bottom) / 2, 0);
    expect(x1).toBeCloseTo(70 + (x2 - 70) / 2, 0);
  });

  it("can be drawn where nothing was seen", () => {
    expect(soakChart([])).toMatch(/^<svg /);
  });

  it("has a description for those who do not see it", () => {
    expect(soakChart([intervalAt(60, 1)])).toMatch(/aria-label="[^"]+"/);
  });
});
