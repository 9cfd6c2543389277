import { functionName } from "../function-name.ts";
import { type AlarmDefinition, minutes, sum } from "./alarm.ts";
import { functionMetric } from "./aws-metrics.ts";

/** How fast 99 of 100 requests are to be answered. */
const P99_MS = 1_000;

/** The alarms of a function that answers requests. */
export const functionAlarms = (stageName: string, endpoint: string): readonly AlarmDefinition[] => {
  const lambda = functionName(stageName, endpoint);
  return [crash(endpoint, lambda), latency(endpoint, lambda), throttled(endpoint, lambda)];
};

/**
 * A crash by itself, for a function that answers no requests too: every expected fault is an answer. It rings for as long
 * as the gateway's alarm does about the same crash, so that it speaks for both.
 */
export const crash = (name: string, lambda: string): AlarmDefinition => ({
  name: `crash-${name}`,
  section: "crash",
  meaning: `The function of ${name} crashed, ran out of time or out of memory.`,
  measures: { errors: sum(functionMetric("Errors", lambda)) },
  bound: { from: 1 },
  span: minutes(1, 5),
  pages: true,
});

const latency = (endpoint: string, lambda: string): AlarmDefinition => ({
  name: `latency-${endpoint}`,
  section: "latency",
  meaning: `The slowest hundredth of ${endpoint}'s requests takes longer than a second.`,
  measures: { duration: { metric: functionMetric("Duration", lambda), statistic: "p99" } },
  bound: { above: P99_MS },
  span: minutes(3, 5),
  pages: false,
});

const throttled = (endpoint: string, lambda: string): AlarmDefinition => ({
  name: `throttled-${endpoint}`,
  section: "throttled",
  meaning: `Lambda has no environment left for requests to ${endpoint}.`,
  measures: { throttles: sum(functionMetric("Throttles", lambda)) },
  bound: { from: 1 },
  span: minutes(2, 5),
  pages: false,
});
