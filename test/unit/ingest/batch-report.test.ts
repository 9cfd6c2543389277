import { describe, expect, test } from "vitest";
import { Failure } from "../../../lib/errors.ts";
import { BatchReport } from "../../../lib/ingest/batch-report.ts";
import type { LogLine } from "../../../lib/log.ts";
import { lineFaults } from "../../support/metric-lines.ts";

const NOW = Date.UTC(2026, 10, 29);

/** The lines that a report writes once `fill` has filled it. */
function linesOf(fill: (report: BatchReport) => void): (LogLine & Record<string, unknown>)[] {
  const lines: (LogLine & Record<string, unknown>)[] = [];
  const report = new BatchReport();
  fill(report);
  report.write((line) => lines.push({ ...line }), NOW, { aws_request_id: "r" });
  return lines;
}

const passing = () => new Failure("temporarily_unavailable", "The store did not answer.");

describe("the lines of a batch", () => {
  test("are one for each kind, in the format of metrics, and none for an empty batch", () => {
    const lines = linesOf((report) => {
      report.count("trade", "RecordsWritten", 3);
      report.count("trade", "RecordsStale", 0);
      report.count("pass", "RecordsUnchanged");
      report.count("trade", "RecordsWritten");
      report.count(undefined, "RecordsRejected");
    });
    expect(lines).toMatchObject([
      { kind: "trade", level: "INFO", RecordsWritten: 4, aws_request_id: "r" },
      { kind: "pass", RecordsUnchanged: 1 },
      { kind: "unknown", RecordsRejected: 1 },
    ]);
    expect(lines[0]).not.toHaveProperty("RecordsStale");
    for (const line of lines)
      expect(lineFaults(JSON.stringify({ stage: "test", endpoint: "ingest-records", ...line }))).toEqual([]);
    expect(linesOf(() => {})).toEqual([]);
  });

  test.each([
    ["a store that does not answer", passing(), "WARN"],
    ["the end of the time", Object.assign(new Error(), { name: "AbortError" }), "WARN"],
    ["a timeout", Object.assign(new Error(), { name: "TimeoutError" }), "WARN"],
    [
      "a missing permission",
      Object.assign(new Error(), { name: "AccessDeniedException", $fault: "client" }),
      "ERROR",
    ],
    ["a fault of ours", new TypeError("undefined is no function"), "ERROR"],
    ["one of Node.js's", Object.assign(new TypeError(), { code: "ERR_INVALID_ARG_TYPE" }), "ERROR"],
    ["something that is not an error", "thrown", "ERROR"],
  ])("say after %s whether it passes by itself", (_, fault, level) => {
    expect(linesOf((report) => report.countReturned("pass", fault))).toMatchObject([
      { level, RecordsReturned: 1, faults: [{ records: 1 }] },
    ]);
  });

  test("tell eight faults apart, and count all others together, as severe as the worst of them", () => {
    const [line] = linesOf((report) => {
      const failWith = (message: string) => new Failure("temporarily_unavailable", message);
      for (let n = 0; n < 1_000; n += 1) report.countReturned("pass", failWith(`This is ${n % 500}.`));
      report.countReturned("pass", new TypeError("a value"));
    });
    expect(line).toMatchObject({ level: "ERROR", RecordsReturned: 1_001 });
    expect(line?.faults).toHaveLength(9);
    expect(line?.faults).toMatchObject([
      ...Array.from({ length: 8 }, (_, n) => ({ records: 2, message: `This is ${n}.` })),
      { records: 985, name: "other faults" },
    ]);
  });

  test("tell equal faults once, with their number, and are as severe as the worst of them", () => {
    const [line] = linesOf((report) => {
      for (let n = 0; n < 3; n += 1) report.countReturned("pass", passing());
      report.countReturned("pass", new TypeError("a value"));
    });
    expect(line).toMatchObject({ level: "ERROR", RecordsReturned: 4 });
    expect(line?.faults).toMatchObject([
      { records: 3, name: "Failure", message: "The store did not answer." },
      { records: 1, name: "TypeError" },
    ]);
    expect(JSON.stringify(line)).not.toContain("a value");
  });
});
