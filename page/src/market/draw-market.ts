import type uPlot from "uplot";
import { drawnAt, isGreater } from "./exact.ts";
import type { Bucket } from "./trade-buckets.ts";

/** The colours that a chart is drawn in, as a canvas takes them. */
export interface ChartColours {
  readonly text: string;
  readonly line: string;
  readonly rise: string;
  readonly fall: string;
  readonly volume: string;
}

/** The part of a bucket's width that is drawn; the rest is the gap to the next. */
const FILLED = 0.7;
/** A body is seen even where it opens and closes at the same price. */
const BODY_PIXELS_MIN = 2;

/** The colours of the page where an element stands. A canvas cannot read custom properties by itself. */
export function coloursAt(element: HTMLElement): ChartColours {
  const probe = document.createElement("span");
  element.append(probe);
  const resolved = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    text: resolved("ink-soft"),
    line: resolved("line"),
    rise: resolved("good"),
    fall: resolved("bad"),
    volume: resolved("edge"),
  };
  probe.remove();
  return colours;
}

/** The columns of a chart: the middle of each bucket in seconds, its highest and lowest price, and its volume. */
export const columnsOf = (buckets: readonly Bucket[], widthMs: number): uPlot.AlignedData => [
  buckets.map(({ startMs }) => (startMs + widthMs / 2) / 1_000),
  buckets.map(({ high }) => drawnAt(high)),
  buckets.map(({ low }) => drawnAt(low)),
  buckets.map(({ volume }) => drawnAt(volume)),
];

/**
 * Draws each bucket as a candle, from its lowest to its highest price with a body from open to close, over a bar of its
 * volume. A candle that falls is filled and one that rises is hollow, because colours alone tell some readers nothing.
 */
export function drawMarket(
  chart: uPlot,
  buckets: readonly Bucket[],
  widthMs: number,
  colours: ChartColours,
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = Math.max(1, devicePixelRatio);
  for (const bucket of buckets) drawBucket(chart, bucket, widthMs, colours);
  ctx.restore();
}

function drawBucket(
  chart: uPlot,
  { startMs, open, high, low, close, volume }: Bucket,
  widthMs: number,
  colours: ChartColours,
): void {
  const { ctx, bbox } = chart;
  const xAt = (ms: number): number => chart.valToPos(ms / 1_000, "x", true);
  const yAt = (value: typeof open): number => Math.round(chart.valToPos(drawnAt(value), "price", true));
  const middle = Math.round(xAt(startMs + widthMs / 2));
  const width = Math.max(1, Math.round((xAt(startMs + widthMs) - xAt(startMs)) * FILLED));
  const left = Math.round(middle - width / 2);

  const volumeTop = chart.valToPos(drawnAt(volume), "volume", true);
  ctx.globalAlpha = 0.45;
  ctx.fillStyle = colours.volume;
  ctx.fillRect(left, volumeTop, width, bbox.top + bbox.height - volumeTop);
  ctx.globalAlpha = 1;

  const [openAt, closeAt] = [yAt(open), yAt(close)];
  const isRise = !isGreater(open, close);
  const [top, bottom] = [Math.min(openAt, closeAt), Math.max(openAt, closeAt)];
  ctx.strokeStyle = isRise ? colours.rise : colours.fall;
  ctx.fillStyle = ctx.strokeStyle;
  ctx.beginPath();
  ctx.moveTo(middle, yAt(high));
  ctx.lineTo(middle, top);
  ctx.moveTo(middle, bottom);
  ctx.lineTo(middle, yAt(low));
  ctx.stroke();
  if (isRise && width > 2) ctx.strokeRect(left, top, width, Math.max(BODY_PIXELS_MIN, bottom - top));
  else ctx.fillRect(left, top, width, Math.max(BODY_PIXELS_MIN, bottom - top));
}
