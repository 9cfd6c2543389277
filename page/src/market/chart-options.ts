import type UPlot from "uplot";
import { type Mark, marksIn } from "./axis-marks.ts";
import { type ChartColours, drawMarket } from "./draw-market.ts";
import { isoText } from "./instants.ts";
import { type Bucket, wholeBuckets } from "./trade-buckets.ts";
import { uPlot } from "./u-plot.ts";
import { type View, zoomed } from "./view.ts";

/** The chart's height. */
export const HEIGHT_PIXELS = 320;
/** A selection that is narrower was a click. */
const SELECTION_PIXELS_MIN = 5;
/** Volumes take this part of the height, below the prices. */
const VOLUME_PART = 0.25;

/** The most marks of each axis. */
const PRICE_MARKS = 10;
const VOLUME_MARKS = 5;
/** A mark's character is so wide, and what stands beside it. */
const CHARACTER_PIXELS = 7.5;
const AXIS_PIXELS = 24;

/** What a chart shows, and whom it tells. */
export interface ChartProps {
  readonly label: string;
  readonly buckets: readonly Bucket[];
  readonly widthMs: number;
  readonly view: View;
  /** All that can be seen. */
  readonly bounds: View;
  readonly onView: (view: View) => void;
  /** Told which bucket the pointer is at; undefined for none. */
  readonly onPoint: (bucket: Bucket | undefined) => void;
  /** Told how wide the chart is, in pixels. */
  readonly onWidth: (pixels: number) => void;
}

/** How uPlot draws a market. Each drawing takes what `latest` and `colours` hold then. */
export function optionsOf(
  width: number,
  latest: { readonly current: ChartProps },
  colours: { readonly current: ChartColours | undefined },
): UPlot.Options {
  const colour = (name: keyof ChartColours): string => colours.current?.[name] ?? "";
  const axis = { stroke: () => colour("text"), ticks: { stroke: () => colour("line") } };
  const unseen = { scale: "price", paths: () => null, points: { show: false } };
  return {
    width,
    height: HEIGHT_PIXELS,
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
    scales: {
      x: { range: () => shownSeconds(latest.current) },
      price: { range: (_, min, max) => priceRange(min, max) },
      volume: { range: (_, __, max) => [0, max > 0 ? max / VOLUME_PART : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: (_, splits) => splits.map(axisText), space: 90 },
      {
        ...axis,
        ...marked("price", (low, high) => marksIn(low + (high - low) * VOLUME_PART, high, PRICE_MARKS)),
        grid: { stroke: () => colour("line"), width: 1 },
      },
      {
        ...axis,
        ...marked("volume", (_, high) => marksIn(0, high * VOLUME_PART, VOLUME_MARKS)),
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum of uPlot has types alone
        side: 1,
        grid: { show: false },
      },
    ],
    series: [{}, unseen, unseen, { ...unseen, scale: "volume" }],
    hooks: {
      draw: [
        (chart) => {
          const { buckets, widthMs } = latest.current;
          if (colours.current !== undefined) drawMarket(chart, buckets, widthMs, colours.current);
        },
      ],
      setCursor: [({ cursor }) => latest.current.onPoint(latest.current.buckets[cursor.idx ?? -1])],
      setSelect: [(chart) => takeSelection(chart, latest.current)],
    },
  };
}

/** The buckets at the edges are shown whole. */
function shownSeconds({ view, widthMs }: ChartProps): [number, number] {
  const { fromMs, toMs } = wholeBuckets(view, widthMs);
  return [fromMs / 1_000, (toMs + 1) / 1_000];
}

/** A mark of the time axis in UTC: its day at midnight, else its time of day. */
function axisText(atS: number): string {
  const [day = "", time = ""] = isoText(atS * 1_000).split(/[TZ]/);
  if (time === "00:00:00") return day.slice(5);
  return time.endsWith(":00") ? time.slice(0, 5) : time;
}

/** An axis with marks of its own choice of the scale's range; it takes as much room as they need. */
function marked(
  scale: "price" | "volume",
  marksOf: (low: number, high: number) => readonly Mark[],
): UPlot.Axis {
  const marks = ({ data, scales }: UPlot): readonly Mark[] => {
    const { min, max } = scales[scale] ?? {};
    // Without a trade there is nothing to mark.
    return data[0].length === 0 || min == null || max == null ? [] : marksOf(min, max);
  };
  return {
    scale,
    splits: (chart) => marks(chart).map(({ at }) => at),
    values: (chart) => marks(chart).map(({ text }) => text),
    size: (_, texts) =>
      AXIS_PIXELS + CHARACTER_PIXELS * Math.max(0, ...(texts ?? []).map(({ length }) => length)),
  };
}

/** Prices keep clear of the volumes, and differ by what floats can tell apart. Without a price, any range will do. */
function priceRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const size = Math.abs(max);
  const span = max === min ? size / 100 || 1 : Math.max(max - min, size * 1e-12);
  return [min - span * (VOLUME_PART + 0.1), max + span * 0.05];
}

function takeSelection(chart: UPlot, { bounds, onView }: ChartProps): void {
  const { left, width } = chart.select;
  if (width < SELECTION_PIXELS_MIN) return;
  const [fromMs, toMs] = [left, left + width].map((at) => Math.round(chart.posToVal(at, "x") * 1_000));
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (fromMs !== undefined && toMs !== undefined) onView(zoomed({ fromMs, toMs }, 1, bounds));
}
