import { type TableName, type TableSchema, tables } from "../../lib/dynamo/tables.ts";
import { METRIC_NAMESPACE, type MetricName, metricDimensions } from "../../lib/metrics.ts";
import { gatewayFailures } from "../alarms/access-log-metrics.ts";
import { sum } from "../alarms/alarm.ts";
import { functionMetric, tableMetric } from "../alarms/aws-metrics.ts";
import { ServiceMetrics } from "../alarms/service-metrics.ts";
import { endpoints } from "../endpoints.ts";
import { functionName } from "../function-name.ts";
import type { Stage } from "../stage.ts";
import { type Graph, type Line, widgetsOf } from "./graph.ts";
import { ingestGraphs } from "./ingest-graphs.ts";

/** The name of a stage's dashboard. */
export const dashboardName = (stageName: string): string => `countinghouse-${stageName}`;

const names = endpoints.map(({ contract }) => contract.name);

export interface DashboardProps {
  readonly stage: Stage;
  readonly region: string;
  /** The ARNs of the alarms whose states are shown above the graphs. */
  readonly alarmArns: readonly string[];
}

/** The rows that the states of the alarms take. */
const ALARMS_HEIGHT = 4;

/** The body of a stage's dashboard: which alarms ring, and then graphs, those of callers first. */
export const dashboardBody = ({ stage, region, alarmArns }: DashboardProps): object => ({
  start: "-PT3H",
  widgets: [
    {
      type: "alarm",
      x: 0,
      y: 0,
      width: 24,
      height: ALARMS_HEIGHT,
      properties: { title: "Alarms that page", alarms: alarmArns },
    },
    ...widgetsOf(
      [
        ...callersGraphs(stage.name),
        ...(stage.ingest === undefined ? [] : ingestGraphs(stage.name)),
        ...storeGraphs(stage),
      ],
      region,
      ALARMS_HEIGHT,
    ),
  ],
});

function callersGraphs(stageName: string): readonly Graph[] {
  const metrics = new ServiceMetrics(stageName);
  const counted = (name: MetricName): readonly Line[] =>
    names.map((label) => ({ label, measure: sum(metrics.ofEndpoint(name, label)) }));
  const timed = (statistic: "p50" | "p99"): readonly Line[] =>
    names.map((label) => ({ label, measure: { metric: metrics.ofEndpoint("Duration", label), statistic } }));
  return [
    { title: "Requests", unit: "a minute", lines: counted("Requests") },
    { title: "Failures, without switched-off endpoints", unit: "a minute", lines: counted("Failures") },
    { title: "Answers with an error code", unit: "a minute", lines: [codesOf(stageName)] },
    { title: "Duration, half of the requests (p50)", unit: "ms", lines: timed("p50") },
    { title: "Duration, the slowest hundredth (p99)", unit: "ms", lines: timed("p99") },
    { title: "Tokens charged", unit: "a minute", lines: counted("TokensCharged") },
    { title: "Failures beneath the answers", unit: "a minute", lines: hiddenFailures(stageName) },
    { title: "Limits decided without DynamoDB", unit: "a minute", lines: counted("RateLimitOutage") },
    { title: "Cold starts", unit: "a minute", lines: counted("ColdStart") },
  ];
}

/** One line for each code that an endpoint has answered with lately. */
function codesOf(stageName: string): Line {
  const set = [METRIC_NAMESPACE, ...metricDimensions.code].join(",");
  return {
    label: "",
    expression: `SEARCH('{${set}} MetricName="Requests" stage="${stageName}"', 'Sum', 60)`,
  };
}

/** What callers may not notice, or notice as the gateway's own answers. */
function hiddenFailures(stageName: string): readonly Line[] {
  const metrics = new ServiceMetrics(stageName);
  const trading = endpoints.filter(({ tables: uses }) => uses.some(({ table }) => table === "Trades"));
  const withTokens = endpoints.filter(({ tokens }) => tokens !== undefined);
  return [
    ...endpoints.map(({ contract: { name, method, route } }) => ({
      label: `the gateway's own 5xx of ${name}`,
      measure: sum(gatewayFailures(stageName, `${method} ${route}`)),
    })),
    ...names.map((name) => ({
      label: `crashes of ${name}`,
      measure: sum(functionMetric("Errors", functionName(stageName, name))),
    })),
    ...names.map((name) => ({
      label: `throttles of ${name}`,
      measure: sum(functionMetric("Throttles", functionName(stageName, name))),
    })),
    ...withTokens.map(({ contract: { name } }) => ({
      label: `issuer of ${name}`,
      measure: sum(metrics.ofEndpoint("KeySetRefreshFailed", name)),
    })),
    ...trading.map(({ contract: { name } }) => ({
      label: `damaged segments of ${name}`,
      measure: sum(metrics.ofEndpoint("DamagedSegment", name)),
    })),
  ];
}

type TableMetric = Parameters<typeof tableMetric>[0];

function storeGraphs({ tables: tableNames }: Stage): readonly Graph[] {
  const parts = (Object.keys(tables) as TableName[]).flatMap((table) => {
    const { indexes }: TableSchema = tables[table];
    return [undefined, ...indexes.map(({ name }) => name)].map((index) => ({
      label: index === undefined ? table : `${table}, ${index}`,
      metricOf: (name: TableMetric) => tableMetric(name, tableNames[table], index),
    }));
  });
  const linesOf = (name: TableMetric, prefix = ""): readonly Line[] =>
    parts.map(({ label, metricOf }) => ({ label: `${prefix}${label}`, measure: sum(metricOf(name)) }));
  return [
    { title: "Units read", unit: "a minute", lines: linesOf("ConsumedReadCapacityUnits") },
    { title: "Units written", unit: "a minute", lines: linesOf("ConsumedWriteCapacityUnits") },
    {
      title: "Throttled by DynamoDB",
      unit: "a minute",
      lines: [...linesOf("ReadThrottleEvents", "reads of "), ...linesOf("WriteThrottleEvents", "writes of ")],
    },
  ];
}
