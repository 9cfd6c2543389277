import { useEffect, useRef } from "preact/hooks";
import type UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useShade } from "../style/theme.tsx";
import styles from "./chart.module.css";
import { type ChartProps, HEIGHT_PIXELS, optionsOf } from "./chart-options.ts";
import { type ChartColours, coloursAt, columnsOf } from "./draw-market.ts";
import { uPlot } from "./u-plot.ts";
import { moved, type View, zoomed } from "./view.ts";

/** How much a step of the keyboard, of a button or of the wheel zooms, and moves. */
export const ZOOM_STEP = 0.5;
export const MOVE_STEP = 0.25;
const WHEEL_STEP = 0.8;

/** Zooms by dragging, by keys, and by the wheel while it has the focus. The table of the same buckets says all of it. */
export function Chart(props: ChartProps) {
  const { label, view, bounds, onView } = props;
  const place = useRef<HTMLDivElement>(null);
  useChart(place, props);
  const keys: Readonly<Record<string, () => View>> = {
    "+": () => zoomed(view, ZOOM_STEP, bounds),
    "=": () => zoomed(view, ZOOM_STEP, bounds),
    "-": () => zoomed(view, 1 / ZOOM_STEP, bounds),
    ArrowLeft: () => moved(view, -MOVE_STEP, bounds),
    ArrowRight: () => moved(view, MOVE_STEP, bounds),
    "0": () => bounds,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form
    <div
      class={`panel ${styles.chart}`}
      role="group"
      aria-label={label}
      // The chart is worked by keys.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is a control with keys of its own
      tabIndex={0}
      ref={place}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        const next = keys[event.key]?.();
        if (next !== undefined) onView(next);
      }}
    />
  );
}

/** Keeps a chart of uPlot in a place, and gives it what changes. */
function useChart(place: { readonly current: HTMLDivElement | null }, props: ChartProps): void {
  const shade = useShade();
  const chart = useRef<UPlot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const colours = useRef<ChartColours | undefined>(undefined);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    colours.current = coloursAt(element);
    const made = new uPlot(
      optionsOf(element.clientWidth, latest, colours),
      columnsOf(latest.current.buckets, latest.current.widthMs),
      element,
    );
    chart.current = made;
    const onWheel = (event: WheelEvent): void => wheel(event, made, element, latest.current);
    made.over.addEventListener("wheel", onWheel, { passive: false });
    const watcher = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: HEIGHT_PIXELS });
      latest.current.onWidth(element.clientWidth);
    });
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      made.destroy();
    };
  }, [place]);

  useEffect(() => {
    chart.current?.setData(columnsOf(props.buckets, props.widthMs));
  }, [props.buckets, props.widthMs, props.view]);

  useEffect(() => {
    // The document takes the new colours after this component was told of them.
    const frame = requestAnimationFrame(() => {
      if (place.current !== null) colours.current = coloursAt(place.current);
      chart.current?.redraw();
    });
    return () => cancelAnimationFrame(frame);
  }, [place, shade]);
}

/** The wheel belongs to the page, unless the visitor has turned to the chart. */
function wheel(
  event: WheelEvent,
  chart: UPlot,
  element: HTMLElement,
  { view, bounds, onView }: ChartProps,
): void {
  if (document.activeElement !== element || event.deltaY === 0) return;
  event.preventDefault();
  const left = event.clientX - chart.over.getBoundingClientRect().left;
  const aroundMs = chart.posToVal(left, "x") * 1_000;
  onView(zoomed(view, event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP, bounds, aroundMs));
}
