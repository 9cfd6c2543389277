import { useMemo, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { useLive } from "../use-live.ts";
import { BucketTable } from "./bucket-table.tsx";
import { bucketWidth } from "./bucket-width.ts";
import { Budgets } from "./budgets.tsx";
import { Chart, MOVE_STEP, ZOOM_STEP } from "./chart.tsx";
import type { ChartProps } from "./chart-options.ts";
import { exactText } from "./exact.ts";
import { instantText, isoText } from "./instants.ts";
import styles from "./market.module.css";
import type { MarketDesk } from "./market-desk.ts";
import { type Bucket, bucketsOf, tradedPart } from "./trade-buckets.ts";
import type { Asked } from "./trade-reading.ts";
import { fitted, isSame, moved, spanOf, type View, zoomed } from "./view.ts";

/** A bucket takes so many pixels, so that its candle can be seen. */
const BUCKET_PIXELS = 10;
const BUCKETS_MIN = 12;
const BUCKETS_MAX = 96;
const FIRST_PIXELS = 720;

/** The chart of what was read with the buttons that zoom it, the budgets, and the table of the chart's numbers. */
export function MarketChart({ desk }: { readonly desk: MarketDesk }) {
  const { asked } = useLive(desk.reading.state);
  return asked === undefined ? <Budgets desk={desk} /> : <AskedChart desk={desk} asked={asked} />;
}

function AskedChart({ desk, asked }: { readonly desk: MarketDesk; readonly asked: Asked }) {
  const { points, phase, awaited } = useLive(desk.reading.state);
  const isWhole = phase === "done" || awaited !== undefined;
  const bounds = useMemo(() => (isWhole ? tradedPart(points, asked) : asked), [isWhole, points, asked]);
  const chosen = useLive<View | undefined>(desk.view);
  const view = chosen !== undefined && isSame(fitted(chosen, bounds), chosen) ? chosen : bounds;
  const [pixels, setPixels] = useState(FIRST_PIXELS);
  const [pointed, setPointed] = useState<Bucket>();
  // A bucket for each trade is enough: by all trades, so that candles keep their width while the view moves.
  const seen = (points.length * spanOf(view)) / spanOf(bounds);
  const most = Math.max(BUCKETS_MIN, Math.min(BUCKETS_MAX, pixels / BUCKET_PIXELS, seen));
  const { widthMs, name } = bucketWidth(spanOf(view), most);
  const buckets = useMemo(() => bucketsOf(points, view, widthMs), [points, view, widthMs]);
  const title = `${asked.symbol} per ${name}`;
  // All that was asked for goes on growing with live trades; a part of it stays where it is.
  const onView = (next: View): void => desk.view.set(isSame(next, bounds) ? undefined : next);
  return (
    <>
      <section aria-labelledby="chart-title">
        <div class={`row ${styles.gaugeHead}`}>
          <h2 id="chart-title">{asked.symbol}: price and volume</h2>
          <ZoomButtons view={view} bounds={bounds} isEmpty={points.length === 0} onView={onView} />
        </div>
        <figure>
          <Readout bucket={pointed ?? buckets.at(-1)} widthMs={widthMs}>
            {points.length > 0
              ? "No trade in the part that is shown."
              : phase === "done"
                ? "Move Until to a day with trades, or choose a longer Time."
                : "No trade has come."}
          </Readout>
          <Chart
            label={`Chart of ${title}. The table below has the same numbers.`}
            buckets={buckets}
            widthMs={widthMs}
            view={view}
            bounds={bounds}
            onView={onView}
            onPoint={setPointed}
            onWidth={setPixels}
          />
          <figcaption class="note">
            Hollow candles rise, filled ones fall (left axis); bars are volumes (right axis). Drag over the
            chart to zoom, or click it and use the wheel, <kbd>+</kbd>, <kbd>−</kbd>, the arrows and{" "}
            <kbd>0</kbd>.
          </figcaption>
        </figure>
        <p aria-live={view === bounds ? "off" : "polite"} class={styles.range}>
          Shown: <time dateTime={isoText(view.fromMs)}>{instantText(view.fromMs, 1_000)}</time> to{" "}
          <time dateTime={isoText(view.toMs)}>{instantText(view.toMs, 1_000)}</time>
          {buckets.length > 0 && `, per ${name}`}
        </p>
      </section>
      <Budgets desk={desk} />
      {buckets.length > 0 && <BucketTable title={title} buckets={buckets} widthMs={widthMs} />}
    </>
  );
}

interface ZoomProps extends Pick<ChartProps, "view" | "bounds" | "onView"> {
  readonly isEmpty: boolean;
}

/** What the chart's keys and its wheel do, as buttons. */
function ZoomButtons({ view, bounds, isEmpty, onView }: ZoomProps) {
  const isWhole = isSame(view, bounds);
  const steps: readonly (readonly [title: string, next: View])[] = [
    ["Zoom in", zoomed(view, ZOOM_STEP, bounds)],
    ["Zoom out", zoomed(view, 1 / ZOOM_STEP, bounds)],
    ["Earlier", moved(view, -MOVE_STEP, bounds)],
    ["Later", moved(view, MOVE_STEP, bounds)],
  ];
  return (
    <fieldset class={`buttons ${styles.zoom}`} aria-label="Zoom of the chart">
      {steps.map(([title, next]) => (
        <Button key={title} isDisabled={isEmpty || isSame(next, view)} onClick={() => onView(next)}>
          {title}
        </Button>
      ))}
      <Button isDisabled={isWhole} onClick={() => onView(bounds)}>
        Show all
      </Button>
    </fieldset>
  );
}

interface ReadoutProps {
  readonly bucket: Bucket | undefined;
  readonly widthMs: number;
  /** What is said where there is none. */
  readonly children: string;
}

/** The numbers of the bucket at the pointer, or of the newest one. */
function Readout({ bucket, widthMs, children }: ReadoutProps) {
  if (bucket === undefined) return <p class={`row ${styles.readout}`}>{children}</p>;
  const { startMs, open, high, low, close, volume } = bucket;
  const parts = [
    ["open", open],
    ["high", high],
    ["low", low],
    ["close", close],
    ["volume", volume],
  ] as const;
  return (
    <p class={`row ${styles.readout}`}>
      <span class="figures">{instantText(startMs, widthMs)}</span>
      {parts.map(([name, value]) => (
        <span key={name}>
          <span class="soft">{name}</span> <span class="figures">{exactText(value)}</span>
        </span>
      ))}
    </p>
  );
}
