import { expect, test } from "vitest";
import { refreshReport } from "../../../lib/auth/report-refresh.ts";
import { Failure } from "../../../lib/errors.ts";
import type { LogLine } from "../../../lib/log.ts";
import { describedMetrics } from "../../support/metric-lines.ts";

const told = (error: unknown): LogLine => {
  const lines: LogLine[] = [];
  refreshReport({ clock: () => 1_800_000_000_000, log: (line) => lines.push(line) })(error);
  expect(lines).toHaveLength(1);
  return lines[0] as LogLine;
};

test("a fetch that failed leaves a warning with the metric, by stage and endpoint, and says what failed", () => {
  const failure = new Failure("temporarily_unavailable", "issuer.example answered 503.");
  expect(told(failure)).toMatchObject({
    timestamp: "2027-01-15T08:00:00.000Z",
    level: "WARN",
    KeySetRefreshFailed: 1,
    _aws: {
      Timestamp: 1_800_000_000_000,
      CloudWatchMetrics: [describedMetrics(["stage", "endpoint"], "KeySetRefreshFailed")],
    },
    fault: { name: "Failure", message: "issuer.example answered 503." },
  });
});

test("the line repeats nothing of a set that could not be read", () => {
  const refusals = ["not-json-secret", '{"keys":[{"kty":"oct","k":"secret"}]}'].map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      return error;
    }
  });
  for (const error of refusals) expect(JSON.stringify(told(error))).not.toContain("secret");
});
