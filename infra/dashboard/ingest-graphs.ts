import { INGEST_NAME } from "../../lib/ingest/settings.ts";
import { METRIC_NAMESPACE, type MetricName, metricDimensions } from "../../lib/metrics.ts";
import { sum } from "../alarms/alarm.ts";
import { queueMetric } from "../alarms/aws-metrics.ts";
import { ServiceMetrics } from "../alarms/service-metrics.ts";
import type { QueueRole } from "../queues.ts";
import type { Graph, Line } from "./graph.ts";

/** What may become of a record, as its metric. */
const OUTCOMES = [
  "RecordsWritten",
  "RecordsUnchanged",
  "RecordsStale",
  "RecordsRejected",
  "RecordsReturned",
] as const satisfies readonly MetricName[];

/** The graphs of the messages that bring records. */
export const ingestGraphs = (stageName: string): readonly Graph[] => [
  {
    title: "Messages that wait",
    unit: "messages",
    lines: [waiting(stageName, "records"), waiting(stageName, "rejected"), waiting(stageName, "dead")],
  },
  {
    title: "Age of the oldest message",
    unit: "s",
    lines: [
      {
        label: "records",
        measure: {
          metric: queueMetric("ApproximateAgeOfOldestMessage", stageName, "records"),
          statistic: "Maximum",
        },
      },
    ],
  },
  {
    title: "Records of messages",
    unit: "a minute",
    lines: OUTCOMES.map((name) => ofEveryKind(stageName, name)),
  },
  {
    title: "Damaged segments that keep trades out",
    unit: "a minute",
    lines: [
      {
        label: INGEST_NAME,
        measure: sum(new ServiceMetrics(stageName).ofEndpoint("DamagedSegment", INGEST_NAME)),
      },
    ],
  },
];

const waiting = (stageName: string, role: QueueRole): Line => ({
  label: role,
  measure: {
    metric: queueMetric("ApproximateNumberOfMessagesVisible", stageName, role),
    statistic: "Maximum",
  },
});

/** One line for each kind of record that had this outcome lately. */
function ofEveryKind(stageName: string, name: MetricName): Line {
  const set = [METRIC_NAMESPACE, ...metricDimensions.kind].join(",");
  return {
    label: "",
    expression: `SEARCH('{${set}} MetricName="${name}" stage="${stageName}"', 'Sum', 60)`,
  };
}
