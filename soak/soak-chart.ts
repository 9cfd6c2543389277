import { chart, type Hue, lineAt, px, textAt } from "../scale/charts/svg.ts";
import type { Interval } from "./interval.ts";

const WIDTH = 820;
const LEFT = 70;
const RIGHT = 110;
const TOP = 30;
const PANEL = 130;
const GAP = 50;

interface Series {
  readonly name: string;
  readonly hue: Hue;
  readonly read: (interval: Interval) => number | undefined;
}

interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

const PANELS: readonly Panel[] = [
  {
    title: "Latency of all endpoints, ms",
    series: [
      { name: "p99", hue: "market", read: ({ latency }) => latency.p99 },
      { name: "p95", hue: "owner", read: ({ latency }) => latency.p95 },
      { name: "p50", hue: "all", read: ({ latency }) => latency.p50 },
    ],
  },
  {
    title: "Answers in each interval",
    series: [
      { name: "all", hue: "owner", read: ({ requests }) => requests },
      { name: "5xx or none", hue: "market", read: ({ failed }) => failed },
    ],
  },
  {
    title: "Resident memory of the service, MB",
    series: [{ name: "resident", hue: "owner", read: ({ residentMb }) => residentMb }],
  },
  {
    title: "Open files and sockets of the service",
    series: [{ name: "open", hue: "owner", read: ({ openFiles }) => openFiles }],
  },
];

/** Latency, answers, memory and open files over the time of a soak, as an SVG. */
export function soakChart(intervals: readonly Interval[]): string {
  const endS = intervals.at(-1)?.endS ?? 1;
  const parts = PANELS.flatMap((panel, at) => panelParts(panel, TOP + at * (PANEL + GAP), intervals, endS));
  const height = TOP + PANELS.length * (PANEL + GAP);
  return chart(WIDTH, height, "Latency, answers, memory and open files over the time of a soak", parts);
}

function panelParts(
  { title, series }: Panel,
  top: number,
  intervals: readonly Interval[],
  endS: number,
): string[] {
  const bottom = top + PANEL;
  const values = series.flatMap(({ read }) => intervals.map((interval) => read(interval) ?? 0));
  const most = roundedUp(Math.max(1, ...values));
  const xOf = (second: number) => LEFT + ((WIDTH - LEFT - RIGHT) * second) / endS;
  const yOf = (value: number) => bottom - (PANEL * value) / most;
  const labelled = spread(series.map(({ read }) => yOf(read(intervals.at(-1) ?? NOTHING) ?? 0)));
  return [
    textAt(LEFT, top - 10, title, { name: "text title" }),
    ...[0, most / 2, most].flatMap((value) => [
      lineAt(LEFT, yOf(value), WIDTH - RIGHT, yOf(value), "grid"),
      textAt(LEFT - 8, yOf(value) + 4, String(value), { anchor: "end", name: "quiet" }),
    ]),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) =>
      textAt(xOf(endS * share), bottom + 18, minutesText(endS * share), { anchor: "middle", name: "quiet" }),
    ),
    ...series.flatMap(({ name, hue, read }, at) => [
      polyline(
        hue,
        intervals.map((interval) => [xOf(interval.endS), yOf(read(interval) ?? 0)]),
      ),
      textAt(WIDTH - RIGHT + 8, (labelled[at] ?? 0) + 4, name),
    ]),
  ];
}

const NOTHING: Interval = {
  endS: 0,
  requests: 0,
  limited: 0,
  refused: 0,
  failed: 0,
  latency: { count: 0, p50: 0, p95: 0, p99: 0, max: 0 },
  byEndpoint: {},
  residentMb: 0,
  openFiles: undefined,
};

const polyline = (hue: Hue, points: readonly (readonly [number, number])[]): string =>
  `<polyline class="line ${hue}" style="fill:none" points="${points.map(([x, y]) => `${px(x)},${px(y)}`).join(" ")}"/>`;

/** The next number of the form 1, 2 or 5 with zeros. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10);
}

const minutesText = (seconds: number): string => `${Math.round(seconds / 6) / 10} min`;

/** Moves labels apart that would cover each other. Later ones lie lower. */
function spread(ys: readonly number[]): number[] {
  const LABEL = 14;
  const order = ys.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y);
  const placed: number[] = [];
  let above = Number.NEGATIVE_INFINITY;
  for (const { y, at } of order) {
    above = Math.max(y, above + LABEL);
    placed[at] = above;
  }
  return placed;
}
