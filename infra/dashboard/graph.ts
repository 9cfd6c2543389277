import type { Measure, Metric } from "../alarms/alarm.ts";

/** A line of a graph: a measure, or an expression that CloudWatch evaluates, with its name in the legend. */
export type Line =
  | { readonly label: string; readonly measure: Shown }
  | { readonly label: string; readonly expression: string };

/** A measure, also by a statistic that no alarm uses. */
interface Shown {
  readonly metric: Metric;
  readonly statistic: Measure["statistic"] | "p50";
}

/** A graph of a dashboard, by minutes. */
export interface Graph {
  readonly title: string;
  readonly lines: readonly Line[];
  /** What the values are, at the left axis. */
  readonly unit: string;
}

/** Columns of a dashboard, as CloudWatch counts them, and the size of a graph. */
const COLUMNS = 24;
const WIDTH = 8;
const HEIGHT = 6;

const PERIOD_S = 60;

/** Graphs as the widgets of a dashboard's body, three in a row, from a row on. */
export const widgetsOf = (graphs: readonly Graph[], region: string, top: number): readonly object[] =>
  graphs.map(({ title, lines, unit }, n) => ({
    type: "metric",
    x: (n * WIDTH) % COLUMNS,
    y: top + Math.floor((n * WIDTH) / COLUMNS) * HEIGHT,
    width: WIDTH,
    height: HEIGHT,
    properties: {
      title,
      region,
      view: "timeSeries",
      period: PERIOD_S,
      yAxis: { left: { label: unit, showUnits: false, min: 0 } },
      metrics: lines.map(rowOf),
    },
  }));

function rowOf(line: Line): readonly unknown[] {
  if ("expression" in line) return [{ expression: line.expression, label: line.label }];
  const { metric, statistic } = line.measure;
  const dimensions = Object.entries(metric.dimensions).flat();
  return [metric.namespace, metric.name, ...dimensions, { stat: statistic, label: line.label }];
}
