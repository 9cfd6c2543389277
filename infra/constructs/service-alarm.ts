import { CfnAlarm, type CfnAlarmProps, CfnAnomalyDetector } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { type AlarmDefinition, alarmName, type Bound, type Measure, type Metric } from "../alarms/alarm.ts";
import type { Stage } from "../stage.ts";

/** Ids of the expression and of the band in an alarm's queries. */
const VALUE = "value";
const BAND = "band";

export interface ServiceAlarmProps {
  readonly definition: AlarmDefinition;
  readonly stage: Stage;
  /** The topics that hear of each beginning and each end. */
  readonly topicArns: readonly string[];
}

/** One alarm. Without data it does not ring, unless it says so: a metric of faults has data only when there are some. */
export class ServiceAlarm extends Construct {
  /** The alarm's name, as a reference that orders what uses it after the alarm. */
  readonly ref: string;
  readonly arn: string;

  constructor(scope: Construct, id: string, { definition, stage, topicArns }: ServiceAlarmProps) {
    super(scope, id);
    const { name, section, meaning, span, ringsWithoutData = false } = definition;
    const alarm = new CfnAlarm(this, "Alarm", {
      alarmName: alarmName(stage.name, name),
      alarmDescription: `${meaning} What to do: ${stage.alarms.runbook}#${section}`,
      ...(isPlain(definition) ? plainMeasure(definition) : { metrics: [...queriesOf(definition)] }),
      ...boundOf(definition.bound),
      evaluationPeriods: span.of,
      datapointsToAlarm: span.breaching,
      treatMissingData: ringsWithoutData ? "breaching" : "notBreaching",
      alarmActions: [...topicArns],
      okActions: [...topicArns],
    });
    if ("deviations" in definition.bound) alarm.addResourceDependency(this.#addDetector(definition));
    this.ref = alarm.ref;
    this.arn = alarm.attrArn;
  }

  /** The model that the band comes from. It learns from what the alarm looks at. */
  #addDetector(definition: AlarmDefinition): CfnAnomalyDetector {
    const metricDataQueries = queriesOf(definition).filter(({ id }) => id !== BAND);
    return new CfnAnomalyDetector(this, "Usual", { metricMathAnomalyDetector: { metricDataQueries } });
  }
}

const isPlain = ({ expression, bound }: AlarmDefinition): boolean =>
  expression === undefined && !("deviations" in bound);

/** A single measure as it is. Only this form lets an alarm ignore percentiles of too few samples. */
function plainMeasure({ measures, span }: AlarmDefinition): Partial<CfnAlarmProps> {
  const [measure] = Object.values(measures);
  if (measure === undefined) throw new Error("An alarm without an expression has one measure.");
  const { statistic, metric } = measure;
  return {
    ...nameOf(metric),
    period: span.periodS,
    ...(statistic === "p99"
      ? { extendedStatistic: statistic, evaluateLowSampleCountPercentile: "ignore" }
      : { statistic }),
  };
}

/** The measures, the value that is made of them, and for a bound in deviations the band around it. */
function queriesOf({
  measures,
  expression = Object.keys(measures)[0] ?? "",
  bound,
  span,
}: AlarmDefinition): readonly Query[] {
  return [
    ...Object.entries(measures).map(([id, measure]) => queryOf(id, measure, span.periodS)),
    { id: VALUE, expression, label: VALUE, returnData: true },
    ...("deviations" in bound
      ? [{ id: BAND, expression: `ANOMALY_DETECTION_BAND(${VALUE}, ${bound.deviations})`, returnData: true }]
      : []),
  ];
}

/** The form that the queries of alarms and of their models have in common. */
interface Query {
  readonly id: string;
  readonly returnData: boolean;
  readonly expression?: string;
  readonly label?: string;
  readonly metricStat?: {
    readonly metric: ReturnType<typeof nameOf>;
    readonly period: number;
    readonly stat: string;
  };
}

const queryOf = (id: string, { metric, statistic }: Measure, period: number): Query => ({
  id,
  metricStat: { metric: nameOf(metric), period, stat: statistic },
  returnData: false,
});

const nameOf = ({ namespace, name, dimensions }: Metric) => ({
  namespace,
  metricName: name,
  ...(Object.keys(dimensions).length > 0 && {
    dimensions: Object.entries(dimensions).map(([key, value]) => ({ name: key, value })),
  }),
});

function boundOf(bound: Bound): Pick<
  CfnAlarmProps,
  "comparisonOperator" | "threshold" | "thresholdMetricId"
> & {
  comparisonOperator: string;
} {
  if ("above" in bound) return { comparisonOperator: "GreaterThanThreshold", threshold: bound.above };
  if ("from" in bound) return { comparisonOperator: "GreaterThanOrEqualToThreshold", threshold: bound.from };
  if ("below" in bound) return { comparisonOperator: "LessThanThreshold", threshold: bound.below };
  return { comparisonOperator: "GreaterThanUpperThreshold", thresholdMetricId: BAND };
}
