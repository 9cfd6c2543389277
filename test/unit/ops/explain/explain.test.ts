import { describe, expect, test } from "vitest";
import { statusOf } from "../../../../lib/http/error-response.ts";
import { adviceFor, adviceIn } from "../../../../local/history/advice.ts";
import type { Explanation } from "../../../../local/history/explain-route.ts";
import { STEPS } from "../../../../local/history/steps.ts";
import { openLogs } from "../../../../ops/explain/logs-client.ts";
import { answerText } from "../../../../ops/explain/print-answer.ts";
import { searchLog } from "../../../../ops/explain/search-log.ts";
import { projectText } from "../../../support/project.ts";

const document = projectText("docs/errors.md");

describe("the advice", () => {
  test.each(Object.keys(statusOf))("for %s is what docs/errors.md says a caller does", async (code) => {
    const advice = await adviceFor({ code, status: 400 });
    expect(advice).toMatch(/^[A-Z].*\.$/);
    expect(advice).not.toMatch(/[`|]|See docs/);
    expect(document.replaceAll("`", "")).toContain(`| ${advice} |`);
  });

  test("for an answer of the gateway's own goes by its status", async () => {
    for (const status of [200, 204, 304, 400, 404, 413, 417, 431, 500, 503])
      expect(await adviceFor({ status })).not.toContain("See docs/errors.md");
    expect(await adviceFor({ status: 418 })).toBe("See docs/errors.md.");
  });

  test("is plain text, without the markup of the document", () => {
    expect(adviceIn("| 400 | `a_code` | Cause. | Use `b` ([more](c.md)). |", "a_code")).toBe("Use b (more).");
    expect(adviceIn(document, "no_such_code")).toBeUndefined();
  });
});

const explanation: Explanation = {
  requestId: "g-1",
  clientRequestId: "mine",
  errorId: "e-1",
  receivedAt: "2026-11-28T12:01:33.000Z",
  durationMs: 5,
  method: "GET",
  target: "/sell-orders/1",
  endpoint: "get-sell-order",
  status: statusOf.invalid_credentials,
  code: "invalid_credentials",
  message: "No.",
  reason: "unknown API key",
  steps: STEPS.map((step, at) => ({
    step,
    outcome: at === 0 ? "passed" : at === 1 ? "refused" : "not reached",
  })),
  presented: [{ kind: "API key", names: { key: `ramp-key#${"ab".repeat(32)}` } }],
  tokensCharged: 0,
  calls: [
    {
      operation: "Query",
      table: "t",
      index: "by-created",
      key: "id",
      readUnits: 0.5,
      writeUnits: 0,
      durationMs: 1.25,
      failure: "ThrottlingException",
    },
  ],
  hints: ["A hint."],
};

describe("an explained answer", () => {
  test("has its ids, steps with the reason, credential, limit, calls, and what to do", () => {
    expect(answerText(explanation, "Advice.").split("\n")).toEqual([
      "GET /sell-orders/1",
      "401 invalid_credentials, in 5 ms, at 2026-11-28T12:01:33.000Z",
      "",
      "Ids",
      "  endpoint         get-sell-order",
      "  Request-Id       mine",
      "  apigw-requestid  g-1",
      "  error_id         e-1",
      "",
      "Steps",
      "  switch       passed",
      "  credentials  refused      unknown API key: No.",
      ...["scope", "parameters", "plan", "limit", "record"].map(
        (step) => `  ${step.padEnd(11)}  not reached`,
      ),
      "",
      "Credentials",
      "  API key   key ramp-key#abababababab",
      "  verified  none",
      "",
      "Limit",
      "  tokens charged  0",
      "",
      "Calls of the store",
      "  Query  t/by-created  id  0.5 read  1.3 ms  ThrottlingException",
      "",
      "What to do",
      "  Advice.",
      "  A hint.",
    ]);
  });

  test("says what the gateway answered by itself", () => {
    const { code: _, clientRequestId: __, ...rest } = explanation;
    const own = { ...rest, status: 503, steps: [], calls: [], reason: "throttled" };
    expect(answerText(own, "Advice.")).toContain("\nSteps\n  The gateway answered by itself: throttled.\n");
    expect(answerText(own, "Advice.")).not.toContain("Credentials");
  });

  test("fits a terminal of 80 columns, and shows no character that a terminal acts on", () => {
    const wide = {
      ...explanation,
      method: "GET\u001b[31m",
      target: "/\u001b[31m",
      code: "a\u001b[31m",
      reason: "b\u001b[31m",
      errors: [{ name: "E\u001b[31m", frames: ["at\u001b[31m"] }],
      message: "long ".repeat(60),
      hints: ["word ".repeat(40)],
    };
    const lines = answerText(wide, "Advice. ".repeat(30), 80).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join("")).not.toContain("\u001b[31m");
    expect(lines.join("").match(/\\u\{1b\}/g)?.length).toBeGreaterThanOrEqual(5);
  });
});

describe("the search of a stage's logs", () => {
  test.each([
    ["eu-central-1", "https://logs.eu-central-1.amazonaws.com/"],
    ["cn-north-1", "https://logs.cn-north-1.amazonaws.com.cn/"],
  ])("in %s asks %s", async (region, address) => {
    using logs = await openLogs(region);
    expect(logs.config.endpointProvider({ Region: region, ServiceType: "ACM" }).url.href).toBe(address);
  });

  const found = [
    { field: "@timestamp", value: "2026-11-29 00:30:00.000" },
    { field: "@message", value: JSON.stringify({ record: { requestId: "lambda-1" } }) },
  ];
  const NOW = Date.parse("2026-11-29T00:31:00.500Z");

  test("says how far it is at each look, and goes on with the first line that came", async () => {
    const looks: object[] = [
      { status: "Scheduled" },
      { status: "Running", results: [], statistics: { recordsScanned: 1_000_000 } },
      { status: "Running", results: [found], statistics: { recordsScanned: 2_000_000 } },
      { status: "Running", results: [found] },
      { status: "Complete", results: [found, found] },
    ];
    const answers = {
      DescribeQueryDefinitions: () => ({ queryDefinitions: [{ logGroupNames: ["a"] }] }),
      StartQuery: () => ({ queryId: "1" }),
      GetQueryResults: () => looks.shift(),
    };
    const told: string[] = [];
    const waits: number[] = [];
    const queries: object[] = [];
    const { lines } = await searchLog(
      {
        ask: async (call, input) => {
          if (call === "StartQuery") queries.push(input);
          return answers[call]();
        },
        clock: () => NOW,
        wait: async (ms) => void waits.push(ms),
        progress: (text) => void told.push(text),
      },
      { stageName: "prod", id: "lambda-1", sinceMs: NOW - 60_000 },
    );
    expect(lines).toHaveLength(2);
    expect(told.slice(0, 2)).toEqual([
      "searched 0 lines since 2026-11-29T00:30:00.500Z",
      "searched 1,000,000 lines since 2026-11-29T00:30:00.500Z",
    ]);
    const queryString = expect.stringContaining(
      'like "lambda-1"\n| fields @timestamp, @message\n| sort @timestamp asc',
    );
    const second = (text: string): number => Date.parse(text) / 1_000;
    expect(queries).toMatchObject([
      { startTime: second("2026-11-29T00:30:00Z"), endTime: second("2026-11-29T00:31:01Z"), queryString },
      { startTime: second("2026-11-29T00:25:00Z"), endTime: second("2026-11-29T00:31:01Z"), queryString },
    ]);
    expect(waits).toEqual([1_000, 1_000, 1_000]);
  });
});
