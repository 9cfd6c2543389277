import type { Endpoint } from "../endpoints.ts";
import { gatewayFailures } from "./access-log-metrics.ts";
import { type AlarmDefinition, type Metric, minutes, sum, switchedOffName } from "./alarm.ts";
import { functionAlarms } from "./function-alarms.ts";
import { ServiceMetrics } from "./service-metrics.ts";

/** Fewer refusals in a minute are not a storm, however unusual: one client may go on with an old key. */
const REFUSALS_MIN = 20;
/** A wider band than two standard deviations would miss a slow rise; a narrower one rings every other day. */
const DEVIATIONS = 2;

/** The alarms of one endpoint: what its lines of the log count, and how its function fares. */
export function endpointAlarms(
  stageName: string,
  { contract: { name, method, route }, tables, tokens }: Endpoint,
): readonly AlarmDefinition[] {
  const metrics = new ServiceMetrics(stageName);
  return [
    failures(name, metrics),
    ...functionAlarms(stageName, name),
    gateway(name, `requests to ${name}`, gatewayFailures(stageName, `${method} ${route}`)),
    limiter(name, metrics),
    unauthorized(name, metrics),
    switchedOff(name, metrics),
    ...(tokens === undefined ? [] : [issuer(name, metrics)]),
    ...(tables.some(({ table }) => table === "Trades") ? [damaged(name, metrics)] : []),
  ];
}

const failures = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: `failures-${endpoint}`,
  section: "failures",
  meaning: `${endpoint} answers more than 1 % of its requests with a 5xx, although it is not switched off.`,
  measures: {
    failures: sum(metrics.ofEndpoint("Failures", endpoint)),
    requests: sum(metrics.ofEndpoint("Requests", endpoint)),
  },
  expression: "IF(failures >= 5, 100 * failures / requests, 0)",
  bound: { above: 1 },
  span: minutes(3, 5),
  pages: true,
});

/** Of requests that no function answered. It is joined with the crash of the function, which is most often the cause. */
export const gateway = (name: string, requests: string, metric: Metric): AlarmDefinition => ({
  name: `gateway-${name}`,
  section: "gateway",
  meaning: `The gateway answers ${requests} with a 5xx of its own.`,
  measures: { failures: sum(metric) },
  bound: { from: 1 },
  span: minutes(1, 5),
  pages: false,
});

const limiter = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: `limiter-${endpoint}`,
  section: "limiter",
  meaning: `${endpoint} decides more than 1 % of its rate limits without DynamoDB.`,
  measures: {
    outages: sum(metrics.ofEndpoint("RateLimitOutage", endpoint)),
    requests: sum(metrics.ofEndpoint("Requests", endpoint)),
  },
  expression: "IF(outages >= 10, 100 * outages / requests, 0)",
  bound: { above: 1 },
  span: minutes(2, 3),
  pages: false,
});

const unauthorized = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: `unauthorized-${endpoint}`,
  section: "unauthorized",
  meaning: `${endpoint} refuses more credentials than is usual at this time.`,
  measures: { refusals: sum(metrics.ofCode(endpoint, "invalid_credentials")) },
  expression: `refusals * (refusals >= ${REFUSALS_MIN})`,
  bound: { deviations: DEVIATIONS },
  span: minutes(3, 5),
  pages: false,
});

/** Longer than the time between two reports, so that every period has one: without a report nothing is known to be off. */
const SWITCH_PERIOD_S = 300;

const switchedOff = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: switchedOffName(endpoint),
  section: "switched-off",
  meaning: `${endpoint} has been switched off for 15 minutes.`,
  measures: { off: { metric: metrics.ofEndpoint("SwitchedOff", endpoint), statistic: "Minimum" } },
  bound: { above: 0 },
  span: { periodS: SWITCH_PERIOD_S, breaching: 3, of: 3 },
  pages: false,
});

/** Of a function that asks a token issuer for its keys. */
export const issuer = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: `issuer-${endpoint}`,
  section: "issuer",
  meaning: `${endpoint} cannot fetch the keys of its token issuer.`,
  measures: { failed: sum(metrics.ofEndpoint("KeySetRefreshFailed", endpoint)) },
  bound: { from: 1 },
  span: minutes(3, 15),
  pages: false,
});

/** Of a function that reads segments of trades. */
export const damaged = (endpoint: string, metrics: ServiceMetrics): AlarmDefinition => ({
  name: `damaged-${endpoint}`,
  section: "damaged",
  meaning: `${endpoint} met a segment of trades that cannot be read.`,
  measures: { damaged: sum(metrics.ofEndpoint("DamagedSegment", endpoint)) },
  bound: { from: 1 },
  span: minutes(1, 1),
  pages: true,
});
