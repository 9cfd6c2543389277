import type { TemplateResource } from "../synthesize.ts";
import type { MetricData, MetricKey, Reading } from "./metric-data.ts";
import { evaluateMath } from "./metric-math.ts";

/** `unchanged` where the alarm ignores its data, because the samples are too few for its percentile. */
export type AlarmState = "ALARM" | "OK" | "unchanged";

export interface Circumstances {
  /** The instant of the evaluation, at the end of a period. */
  readonly nowMs: number;
  /** The account's quota, for alarms that compare with it. */
  readonly quota?: number;
  /** The upper end of the band that is usual now, for alarms that compare with it. */
  readonly bandUpper?: number;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: TemplateMetric;
    readonly Period: number;
    readonly Stat: string;
  };
}

interface TemplateMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

/** A percentile of fewer samples is ignored where the alarm says so: 10 / (1 - 0.99) for p99 (CloudWatch user guide). */
const samplesMin = (statistic: string): number => 10 / (1 - Number(statistic.slice(1)) / 100);

const compare: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  GreaterThanThreshold: (value, bound) => value > bound,
  GreaterThanOrEqualToThreshold: (value, bound) => value >= bound,
  LessThanThreshold: (value, bound) => value < bound,
  GreaterThanUpperThreshold: (value, bound) => value > bound,
};

const metricOf = ({ Namespace, MetricName, Dimensions = [] }: TemplateMetric): MetricKey => ({
  namespace: Namespace,
  name: MetricName,
  dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])),
});

/** The metrics that an alarm of a template reads. */
export const metricsOf = (alarm: TemplateResource): readonly MetricKey[] =>
  queriesOf(alarm).flatMap(({ MetricStat }) =>
    MetricStat === undefined ? [] : [metricOf(MetricStat.Metric)],
  );

/** The queries of an alarm; one that reads a single metric as it is has one. */
function queriesOf({ Properties }: TemplateResource): readonly Query[] {
  if (Properties.Metrics !== undefined) return Properties.Metrics;
  const { Statistic, ExtendedStatistic, Period } = Properties;
  return [{ Id: "value", MetricStat: { Metric: Properties, Period, Stat: Statistic ?? ExtendedStatistic } }];
}

/** The state of an alarm of a template, as CloudWatch would find it by M of N periods. */
export function alarmState(
  alarm: TemplateResource,
  data: MetricData,
  circumstances: Circumstances,
): AlarmState {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData, ComparisonOperator, Threshold } =
    alarm.Properties;
  if (!/^(?:notB|b)reaching$/.test(TreatMissingData))
    throw new Error("No reading of another treatment of missing data");
  const bound = alarm.Properties.ThresholdMetricId === undefined ? Threshold : circumstances.bandUpper;
  const readings = periodsOf(alarm, circumstances.nowMs).map((startMs) =>
    valueAt(alarm, data, startMs, circumstances),
  );
  if (readings.length !== EvaluationPeriods) throw new Error("An alarm looks at all its periods.");
  const samples = readings.reduce((sum, reading) => sum + (reading?.samples ?? 0), 0);
  if (isIgnored(alarm, samples)) return "unchanged";
  const breaching = readings.filter((reading) =>
    reading === undefined
      ? TreatMissingData === "breaching"
      : compare[ComparisonOperator]?.(reading.value, bound),
  );
  return breaching.length >= DatapointsToAlarm ? "ALARM" : "OK";
}

const isIgnored = ({ Properties }: TemplateResource, samples: number): boolean =>
  Properties.EvaluateLowSampleCountPercentile === "ignore" &&
  samples < samplesMin(Properties.ExtendedStatistic);

/** The length of an alarm's periods. */
export const periodMsOf = (alarm: TemplateResource): number =>
  (queriesOf(alarm).find(({ MetricStat }) => MetricStat !== undefined)?.MetricStat?.Period ?? 60) * 1_000;

/** The beginnings of the periods that an alarm looks at, the oldest first. */
export function periodsOf(alarm: TemplateResource, nowMs: number): number[] {
  const { EvaluationPeriods } = alarm.Properties;
  return Array.from(
    { length: EvaluationPeriods },
    (_, n) => nowMs - (EvaluationPeriods - n) * periodMsOf(alarm),
  );
}

function valueAt(
  alarm: TemplateResource,
  data: MetricData,
  startMs: number,
  { quota = 0 }: Circumstances,
): Reading | undefined {
  const readings = new Map<string, Reading>();
  for (const { Id, MetricStat, Expression } of queriesOf(alarm)) {
    const reading =
      MetricStat === undefined
        ? expressed(Expression ?? "", readings, quota)
        : data.read(metricOf(MetricStat.Metric), MetricStat.Stat, startMs, MetricStat.Period * 1_000);
    if (reading !== undefined) readings.set(Id, reading);
  }
  return readings.get("value");
}

function expressed(
  expression: string,
  readings: ReadonlyMap<string, Reading>,
  quota: number,
): Reading | undefined {
  // The band comes from a model of CloudWatch's own; its upper end is one of the circumstances.
  if (expression.startsWith("ANOMALY_DETECTION_BAND(")) return undefined;
  const value = evaluateMath(expression, (name) => readings.get(name)?.value, { quota });
  return value === undefined ? undefined : { value, samples: 1 };
}
