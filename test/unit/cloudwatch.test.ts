import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alarmState } from "../support/cloudwatch/alarm-state.ts";
import { MetricData } from "../support/cloudwatch/metric-data.ts";
import { matchesFilter } from "../support/cloudwatch/metric-filter.ts";
import { evaluateMath } from "../support/cloudwatch/metric-math.ts";

const MINUTE_MS = 60_000;
const NOW_MS = 100 * MINUTE_MS;
const metric = { namespace: "n", name: "m", dimensions: { stage: "s" } };

describe("the tests' evaluation of metric math", () => {
  const values: Readonly<Record<string, number>> = { a: 6, b: 4, zero: 0 };
  const evaluate = (text: string) => evaluateMath(text, (name) => values[name], { quota: 1_000 });

  test.each<[string, number | undefined]>([
    ["a - b - 1", 1],
    ["a + b * 2", 14],
    ["(a + b) * 2", 20],
    ["100 * a / b", 150],
    ["a * (a >= 6)", 6],
    ["a * (a >= 7)", 0],
    ["IF(a >= 5, 100 * a / b, 0)", 150],
    ["IF(zero, a, b)", 4],
    ["100 * a / SERVICE_QUOTA(b)", 0.6],
    ["a + missing", undefined],
    ["IF(missing >= 1, a, b)", undefined],
    ["SERVICE_QUOTA(missing)", undefined],
  ])("%s is %s", (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  test.each(["a +", "(a", "FILL(a, 0)", "a $ b", "a b"])("does not guess what %s is", (expression) => {
    expect(() => evaluate(expression)).toThrow();
  });
});

describe("the tests' evaluation of an alarm", () => {
  const alarmOf = (properties: object) => ({
    Type: "AWS::CloudWatch::Alarm",
    Properties: {
      Namespace: "n",
      MetricName: "m",
      Dimensions: [{ Name: "stage", Value: "s" }],
      Period: 60,
      Statistic: "Sum",
      ComparisonOperator: "GreaterThanThreshold",
      Threshold: 2,
      EvaluationPeriods: 5,
      DatapointsToAlarm: 3,
      TreatMissingData: "notBreaching",
      ...properties,
    },
  });

  test("rings when at least M of the last N periods are beyond the bound, in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (breaching) => {
        const data = new MetricData();
        breaching.forEach((isBreaching, n) => {
          if (isBreaching) data.add(metric, NOW_MS - (n + 1) * MINUTE_MS, 3);
        });
        const count = breaching.slice(0, 5).filter(Boolean).length;
        expect(alarmState(alarmOf({}), data, { nowMs: NOW_MS })).toBe(count >= 3 ? "ALARM" : "OK");
      }),
    );
  });

  test.each([
    ["Sum", 6],
    ["Maximum", 3],
    ["Minimum", 1],
  ])("reads the statistic %s of a period", (Statistic, value) => {
    const data = new MetricData();
    for (const sample of [2, 3, 1]) data.add(metric, NOW_MS - 1, sample);
    const stateAt = (Threshold: number) =>
      alarmState(alarmOf({ Statistic, Threshold, EvaluationPeriods: 1, DatapointsToAlarm: 1 }), data, {
        nowMs: NOW_MS,
      });
    expect([stateAt(value), stateAt(value - 1)]).toEqual(["OK", "ALARM"]);
  });

  test("keeps its state while a percentile has too few samples", () => {
    const percentile = {
      Statistic: undefined,
      ExtendedStatistic: "p99",
      EvaluateLowSampleCountPercentile: "ignore",
    };
    const stateOf = (samples: number) =>
      alarmState(
        alarmOf({ ...percentile, EvaluationPeriods: 1, DatapointsToAlarm: 1 }),
        new MetricData().add(metric, NOW_MS - 1, 3, samples),
        { nowMs: NOW_MS },
      );
    expect([stateOf(999), stateOf(1_000)]).toEqual(["unchanged", "ALARM"]);
  });

  test("takes no metric of other dimensions for its own", () => {
    const other = { ...metric, dimensions: { stage: "t" } };
    const data = new MetricData().add(other, NOW_MS - 1, 9);
    expect(alarmState(alarmOf({ DatapointsToAlarm: 1 }), data, { nowMs: NOW_MS })).toBe("OK");
  });
});

describe("the tests' evaluation of a filter pattern", () => {
  const pattern = '{ ($.status = "5*") && ($.functionStatus != "5*") }';

  test.each([
    [{ status: "500", functionStatus: "-" }, true],
    [{ status: "503", functionStatus: "200" }, true],
    [{ status: "500", functionStatus: "500" }, false],
    [{ status: "405", functionStatus: "-" }, false],
    [{ status: "500" }, true],
  ])("matches %j: %s", (line, matches) => {
    expect(matchesFilter(pattern, JSON.stringify(line))).toBe(matches);
  });

  test.each(["[a, b]", '{ $.status = "5*" }', "{ ($.status > 5) }"])("does not guess what %s is", (other) => {
    expect(() => matchesFilter(other, "{}")).toThrow("No reading of");
  });
});
