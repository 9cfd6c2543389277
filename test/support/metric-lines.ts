import { METRIC_NAMESPACE, metricDimensions, metricUnits } from "../../lib/metrics.ts";
import { newValidator } from "./answer-check.ts";

/** Units of CloudWatch's metrics (CloudWatch API reference, MetricDatum). */
const SIZES = ["Bytes", "Kilobytes", "Megabytes", "Gigabytes", "Terabytes"];
const BITS = ["Bits", "Kilobits", "Megabits", "Gigabits", "Terabits"];
const RATES = [...SIZES, ...BITS, "Count"].map((unit) => `${unit}/Second`);
const UNITS = [
  "Seconds",
  "Microseconds",
  "Milliseconds",
  ...SIZES,
  ...BITS,
  "Percent",
  "Count",
  "None",
  ...RATES,
];

const NAME = { type: "string", minLength: 1, maxLength: 255 };
const METRIC = {
  type: "object",
  required: ["Name"],
  additionalProperties: false,
  properties: { Name: NAME, Unit: { enum: UNITS }, StorageResolution: { enum: [1, 60] } },
};
const DIRECTIVE = {
  type: "object",
  required: ["Namespace", "Dimensions", "Metrics"],
  additionalProperties: false,
  properties: {
    Namespace: NAME,
    Dimensions: { type: "array", minItems: 1, items: { type: "array", maxItems: 30, items: NAME } },
    Metrics: { type: "array", maxItems: 100, items: METRIC },
  },
};

/**
 * The embedded metric format as far as a schema can say it (CloudWatch user guide, "Specification: Embedded metric
 * format"). The time is in milliseconds: one in seconds would lie in January 1970, and CloudWatch drops what is older
 * than two weeks.
 */
const FORMAT = {
  type: "object",
  required: ["_aws"],
  properties: {
    _aws: {
      type: "object",
      required: ["Timestamp", "CloudWatchMetrics"],
      additionalProperties: false,
      properties: {
        Timestamp: { type: "integer", minimum: 1e12, maximum: 1e13 },
        CloudWatchMetrics: { type: "array", items: DIRECTIVE },
      },
    },
  },
};

const isInFormat = newValidator().compile(FORMAT);

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit?: string }[];
}

type Line = Readonly<Record<string, unknown>>;

const directivesOf = ({ _aws }: Line): readonly Directive[] =>
  (_aws as { readonly CloudWatchMetrics: readonly Directive[] }).CloudWatchMetrics;

/** A value of a dimension, as CloudWatch takes it. */
const DIMENSION_VALUE = /^(?!:)[\x20-\x7e]{1,1024}$/;

/** The most values of a metric in one line. */
const VALUES_MAX = 100;

const isMetricValue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length <= VALUES_MAX && value.every((one) => typeof one === "number")
    : typeof value === "number";

/** Why CloudWatch would not read a line's metrics as they are meant. */
export function formatFaults(line: Line): string[] {
  if (!isInFormat(line))
    return (isInFormat.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return directivesOf(line).flatMap(({ Dimensions, Metrics }) => [
    ...Dimensions.flat()
      .filter((name) => typeof line[name] !== "string" || !DIMENSION_VALUE.test(line[name]))
      .map((name) => `the dimension ${name} has no text in the line`),
    ...Metrics.filter(({ Name }) => !isMetricValue(line[Name])).map(
      ({ Name }) => `the metric ${Name} has no number`,
    ),
  ]);
}

const SETS: ReadonlySet<string> = new Set(Object.values(metricDimensions).map((set) => set.join()));
const UNIT_OF: ReadonlyMap<string, string> = new Map(Object.entries(metricUnits));

/** Metrics that are not described as `lib/metrics.ts` says: CloudWatch would read them, and nobody would find them. */
function strayMetrics(line: Line): string[] {
  const directives = directivesOf(line);
  const described = new Set(directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name)));
  return [
    ...directives
      .filter(({ Namespace }) => Namespace !== METRIC_NAMESPACE)
      .map(({ Namespace }) => `namespace ${Namespace}`),
    ...directives.flatMap(({ Dimensions }) =>
      Dimensions.filter((set) => !SETS.has(set.join())).map((set) => `dimensions ${set.join()}`),
    ),
    ...directives.flatMap(({ Metrics }) =>
      Metrics.filter(({ Name, Unit }) => UNIT_OF.get(Name) !== Unit).map(
        ({ Name, Unit }) => `${Name} in ${Unit}`,
      ),
    ),
    ...[...UNIT_OF.keys()]
      .filter((name) => name in line && !described.has(name))
      .map((name) => `${name} is not described`),
  ];
}

/**
 * What is wrong with a line that a function printed: nothing for one that is not JSON, such as a stack trace. Every
 * line of ours names its stage and endpoint, and a line about a request counts it.
 */
export function lineFaults(text: string): string[] {
  if (!text.startsWith("{")) return [];
  const line = JSON.parse(text) as Line;
  const faults = formatFaults(line);
  if (faults.length > 0) return faults;
  const isCounted = !("status" in line) || line.Requests === 1;
  return [...strayMetrics(line), ...(isCounted ? [] : ["a request that is not counted"])];
}

/** The description of metrics that count, by their dimensions. */
export const describedMetrics = (dimensions: readonly string[], ...names: readonly string[]) => ({
  Namespace: "countinghouse",
  Dimensions: [dimensions],
  Metrics: names.map((Name) => ({ Name, Unit: "Count" })),
});
