import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { recordKinds } from "../../lib/ingest/message.ts";
import { type MetricName, metricDimensions, metricMembers, metricUnits } from "../../lib/metrics.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { NOW } from "../support/chain.ts";
import { codeIn } from "../support/markdown.ts";
import { formatFaults, lineFaults } from "../support/metric-lines.ts";
import { projectText } from "../support/project.ts";

const names = Object.keys(metricUnits) as MetricName[];
const origin = { stage: "test", endpoint: "get-sample", code: "not_found", kind: "truststore" };

test("a line carries the values of its metrics once, and a description for each set of dimensions", () => {
  const members = metricMembers(
    NOW,
    { by: "endpoint", values: { Requests: 1, Duration: 12 } },
    { by: "code", values: { Requests: 1 } },
  );
  const described = (Dimensions: string[], ...Metrics: object[]) => ({
    Namespace: "countinghouse",
    Dimensions: [Dimensions],
    Metrics,
  });
  const requests = { Name: "Requests", Unit: "Count" };
  const duration = { Name: "Duration", Unit: "Milliseconds" };
  const CloudWatchMetrics = [
    described(["stage", "endpoint"], requests, duration),
    described(["stage", "endpoint", "code"], requests),
  ];
  expect(members).toEqual({ Requests: 1, Duration: 12, _aws: { Timestamp: NOW, CloudWatchMetrics } });
});

test("whatever metrics a line carries, CloudWatch finds all of them", () => {
  const values = fc.dictionary(fc.constantFrom(...names), fc.nat());
  const by = fc.constantFrom(...(Object.keys(metricDimensions) as (keyof typeof metricDimensions)[]));
  const sets = fc.array(fc.record({ by, values }), { minLength: 1 });
  fc.assert(
    fc.property(sets, (chosen) => {
      expect(lineFaults(JSON.stringify({ ...origin, ...metricMembers(NOW, ...chosen) }))).toEqual([]);
    }),
  );
});

test("no metric is told apart by an owner, or by anything else that callers choose", () => {
  const dimensions = new Set(Object.values(metricDimensions).flat());
  expect([...dimensions].sort()).toEqual(["code", "endpoint", "kind", "stage"]);
});

const page = projectText("docs/operations.md");

describe("docs/operations.md", () => {
  test("names every metric, and no other", () => {
    const [, list = ""] = /^## Metrics\n.*?\n\n(- .*?)\n\n/ms.exec(page) ?? [];
    expect(codeIn(list)).toEqual(Object.keys(metricUnits));
  });

  test("says how many metrics a stage pays for", () => {
    const codes = endpointReferences.reduce((sum, reference) => sum + reference.codes.length, 0);
    const each = endpoints.length;
    const issuers = endpoints.filter(({ tokens }) => tokens !== undefined).length;
    const numbers: Readonly<Record<MetricName, number>> = {
      ...(Object.fromEntries(
        names.map((name) => [name, name.startsWith("Records") ? recordKinds.length : each]),
      ) as Record<MetricName, number>),
      Requests: each + codes,
      // The listing of trades, and the function that takes in messages.
      DamagedSegment: 2,
      // The scheduled function reads the issuers' keys too.
      KeySetRefreshFailed: issuers + 1,
      DaysToExpiry: 3,
      // A message that cannot be read is rejected too, under a kind of its own.
      RecordsRejected: recordKinds.length + 1,
      RecordsReturned: recordKinds.length + 1,
    };
    const all = Object.values(numbers).reduce((sum, number) => sum + number, 0);
    const [, told, dollars] =
      /A stage has at most (\d+) metrics for each endpoint, about (\d+) USD a month/.exec(
        page.replaceAll("\n", " "),
      ) ?? [];
    expect(all / each).toBeLessThanOrEqual(Number(told));
    expect(all / each).toBeGreaterThan(Number(told) * 0.85);
    expect(Number(dollars)).toBe(Math.round(Number(told) * 0.3));
  });

  test("says how many bytes the metrics of a request take", () => {
    const values = { Requests: 1, Failures: 0, Duration: 12, TokensCharged: 1 };
    const bytes = JSON.stringify(metricMembers(NOW, { by: "endpoint", values })).length - "{".length;
    expect(page.replaceAll("\n", " ")).toContain(`The metrics make a line ${bytes} bytes longer`);
  });
});

describe("a line whose metrics CloudWatch would not read is found:", () => {
  const metric = { Name: "Duration", Unit: "Milliseconds" };
  const directive = { Namespace: "countinghouse", Dimensions: [["stage"]], Metrics: [metric] };
  const described = (changes: object) => ({ CloudWatchMetrics: [{ ...directive, ...changes }] });
  const line = ({ root = {}, aws = {} }: { root?: object; aws?: object } = {}) => ({
    stage: "test",
    Duration: 12,
    ...root,
    _aws: { Timestamp: NOW, CloudWatchMetrics: [directive], ...aws },
  });
  const set = (length: number) => Array.from({ length }, () => "stage");
  const metrics = (length: number) => Array.from({ length }, () => metric);

  test.each([
    ["a number", line()],
    ["no metric at all", line({ aws: { CloudWatchMetrics: [] } })],
    ["no dimension", line({ aws: described({ Dimensions: [[]] }) })],
    ["30 dimensions", line({ aws: described({ Dimensions: [set(30)] }) })],
    ["100 metrics", line({ aws: described({ Metrics: metrics(100) }) })],
    ["100 values", line({ root: { Duration: Array.from({ length: 100 }, () => 1) } })],
    ["a metric without a unit", line({ aws: described({ Metrics: [{ Name: "Duration" }] }) })],
    ["a dimension of 1,024 characters", line({ root: { stage: "s".repeat(1_024) } })],
  ])("not one with %s", (_, good) => {
    expect(formatFaults(good)).toEqual([]);
  });

  test.each([
    ["no description", { stage: "test", Duration: 12 }],
    ["no time", line({ aws: { Timestamp: undefined } })],
    ["a time in seconds", line({ aws: { Timestamp: NOW / 1_000 } })],
    ["a time as text", line({ aws: { Timestamp: new Date(NOW).toISOString() } })],
    ["a namespace without a name", line({ aws: described({ Namespace: "" }) })],
    ["dimensions that are not a list of lists", line({ aws: described({ Dimensions: ["stage"] }) })],
    ["no set of dimensions", line({ aws: described({ Dimensions: [] }) })],
    ["31 dimensions", line({ aws: described({ Dimensions: [set(31)] }) })],
    ["101 metrics", line({ aws: described({ Metrics: metrics(101) }) })],
    ["101 values", line({ root: { Duration: Array.from({ length: 101 }, () => 1) } })],
    ["a unit that there is not", line({ aws: described({ Metrics: [{ ...metric, Unit: "ms" }] }) })],
    ["a member that the format does not have", line({ aws: described({ Owner: "acme" }) })],
    ["a dimension that the line lacks", line({ aws: described({ Dimensions: [["endpoint"]] }) })],
    ["a dimension that is a number", line({ root: { stage: 1 } })],
    ["a dimension without a text", line({ root: { stage: "" } })],
    ["a dimension of 1,025 characters", line({ root: { stage: "s".repeat(1_025) } })],
    ["a metric that the line lacks", line({ root: { Duration: undefined } })],
    ["a metric that is a text", line({ root: { Duration: "12" } })],
    ["a metric that is not a number", line({ root: { Duration: [1, null] } })],
  ])("one with %s", (_, wrong) => {
    expect(formatFaults(wrong)).not.toEqual([]);
  });

  const ours = { ...origin, ...metricMembers(NOW, { by: "endpoint", values: { Requests: 1 } }) };
  const ofOurs = (changes: object) => ({ ...ours, _aws: { ...ours._aws, ...described(changes) } });
  const inSeconds = { Dimensions: [["stage", "endpoint"]], Metrics: [{ Name: "Duration", Unit: "Seconds" }] };
  test.each([
    ["a namespace that is not ours", ofOurs({ Namespace: "other" })],
    ["dimensions that nobody looks for", ofOurs({ Dimensions: [["kind"]] })],
    ["another unit than the metric's", { ...ofOurs(inSeconds), Duration: 1 }],
    ["a metric's value that is not described", { ...ours, Failures: 1 }],
    ["a request that is not counted", { status: 200, ...origin, ...metricMembers(NOW) }],
  ])("one of ours with %s", (_, wrong) => {
    expect(lineFaults(JSON.stringify(ours))).toEqual([]);
    expect(lineFaults(JSON.stringify(wrong))).not.toEqual([]);
  });
});
