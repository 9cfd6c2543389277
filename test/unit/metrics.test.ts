import { expect, test } from "vitest";
import { metricMembers } from "../../lib/metrics.ts";

test("a line carries the values of its metrics once, and a description for each set of dimensions", () => {
  const members = metricMembers(
    1_795_554_000_000,
    { by: "endpoint", values: { Requests: 1, Duration: 12 } },
    { by: "code", values: { Requests: 1 } },
  );
  expect(members).toEqual({
    Requests: 1,
    Duration: 12,
    _aws: {
      Timestamp: 1_795_554_000_000,
      CloudWatchMetrics: [
        {
          Namespace: "countinghouse",
          Dimensions: [["stage", "endpoint"]],
          Metrics: [
            { Name: "Requests", Unit: "Count" },
            { Name: "Duration", Unit: "Milliseconds" },
          ],
        },
        {
          Namespace: "countinghouse",
          Dimensions: [["stage", "endpoint", "code"]],
          Metrics: [{ Name: "Requests", Unit: "Count" }],
        },
      ],
    },
  });
});
