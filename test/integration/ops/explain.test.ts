import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { DemoFile } from "../../../local/demo/demo-file.ts";
import type { Explanation } from "../../../local/history/explain-route.ts";
import { type Service, startService } from "../../../local/local-service.ts";
import { logCalls } from "../../../ops/explain/logs-client.ts";
import { AwsRefusal, denied, type FakeAws, startFakeStage } from "../../support/fake-aws.ts";
import { filledDataDirectory } from "../../support/filled-demo.ts";
import { failing, runOperator } from "../../support/operator.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { serviceOptions, silent } from "../../support/service-options.ts";
import { testStage } from "../../support/test-stage.ts";

vi.mock("../../../ops/store/stage-file.ts", () => ({
  readStageFile: () => testStage({ region: "eu-central-1" }),
}));

let dataDir: string;
const explain = (id: string, ...more: string[]) => runOperator(["explain", id, "--data", dataDir, ...more]);
const explained = async (id: string | null) =>
  JSON.parse((await explain(id ?? "", "--json")).stdout) as Explanation & { readonly advice: string };

let service: Service;
let demo: DemoFile;
/** What the functions have logged, as CloudWatch would have it. */
const logged: { readonly at: string; readonly text: string }[] = [];
const log = (text: string, at = new Date().toISOString()) =>
  void logged.push({ at: at.replace("T", " ").replace("Z", ""), text });
beforeAll(async () => {
  dataDir = await filledDataDirectory();
  service = await startService(serviceOptions(dataDir), { ...silent, log: (_, line) => log(line) });
  ({ demo } = service);
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${demo.baseUrl}${path}`, { headers });
const partner = () => ({ "x-api-key": demo.ramp.apiKey });

describe("ops explain", () => {
  test("says of an answered request what was verified, read, charged and asked of the store", async () => {
    const answer = await get(`/sell-orders/${demo.ramp.orderId}`, { ...partner(), "request-id": "mine-1" });
    expect(answer.status).toBe(200);
    const told = await explained("mine-1");
    expect(told).toMatchObject({
      requestId: answer.headers.get("apigw-requestid"),
      endpoint: "get-sell-order",
      owner: demo.ramp.partnerId,
      parameters: { order_id: demo.ramp.orderId },
      tokensCharged: 1,
      tokensLeft: answer.headers.get("ratelimit"),
    });
    expect(new Set(told.steps.map(({ outcome }) => outcome))).toEqual(new Set(["passed"]));
    expect(told.calls.map(({ operation, table }) => `${operation} ${table.split("-").at(-1)}`)).toEqual(
      expect.arrayContaining(["UpdateItem RateLimits", "GetItem SellOrders"]),
    );
    expect(JSON.stringify(told)).not.toContain(demo.ramp.apiKey);
  });

  test("says of a refused request which check refused it, although the caller is not told", async () => {
    const answer = await get(`/sell-orders/${demo.ramp.orderId}`, { "x-api-key": "a".repeat(43) });
    const { error_id: errorId } = (await answer.json()) as { error_id: string };
    expect(await explained(errorId)).toMatchObject({
      code: "invalid_credentials",
      reason: "unknown API key",
      steps: expect.arrayContaining([
        { step: "credentials", outcome: "refused" },
        { step: "scope", outcome: "not reached" },
      ]),
      advice: expect.stringContaining("WWW-Authenticate"),
    });
  });

  test("says of another tenant's record that it was looked up and charged, and no more than the caller is told", async () => {
    const answer = await get(`/sell-orders/${demo.ramp.otherOrderId}`, partner());
    expect(await explained(answer.headers.get("apigw-requestid"))).toMatchObject({
      code: "not_found",
      tokensCharged: 1,
      steps: expect.arrayContaining([{ step: "record", outcome: "refused" }]),
    });
  });

  test("prints sections for people, also of the gateway's own answers", async () => {
    const answer = await get("/nothing/");
    const { code, stdout } = await explain(answer.headers.get("apigw-requestid") ?? "");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^GET \/nothing\/\n404, in .*\n\nIds\n(?:.*\n)+\nSteps\n {2}The gateway answered by itself\./,
    );
    expect(stdout).toContain("No route has this path");
  });

  test("says when it remembers no such answer, with exit code 1", async () => {
    expect(await explain("unknown")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("remembers no answer with this id"),
    });
  });

  test("says when no service runs, with exit code 2", async () => {
    const { code, stderr } = await runOperator(["explain", "x", "--data", scratchDirectory()]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^No `npm start` runs on /)]);
  });
});

describe("ops explain --stage", () => {
  let aws: FakeAws;
  beforeAll(async () => {
    aws = await startFakeStage();
  });
  afterAll(() => aws.close());

  /** The queries that were asked. */
  let queries: {
    readonly queryString: string;
    readonly startTime: number;
    readonly logGroupNames: unknown;
  }[];
  beforeEach(() => {
    queries = [];
    aws.answers.clear();
    aws.answers.set("logs:DescribeQueryDefinitions", () => ({
      queryDefinitions: [{ logGroupNames: ["functions", "access"] }],
    }));
    aws.answers.set("logs:StartQuery", (input) => {
      queries.push(input as never);
      return { queryId: String(queries.length - 1) };
    });
    aws.answers.set("logs:GetQueryResults", ({ queryId }) => ({
      status: "Complete",
      statistics: { recordsScanned: 1_234 },
      results: linesOf(queries[Number(queryId)]),
    }));
  });

  /** What Logs Insights finds by a query of ours. */
  const linesOf = (query: (typeof queries)[number] | undefined) => {
    const ids = [...(query?.queryString ?? "").matchAll(/@message like "([^"]+)"/g)].map(([, id = ""]) => id);
    return logged
      .filter(({ text }) => ids.some((id) => text.includes(id)))
      .filter(({ at }) => Date.parse(`${at.replace(" ", "T")}Z`) >= (query?.startTime ?? 0) * 1_000)
      .map(({ at, text }) => [
        { field: "@timestamp", value: at },
        { field: "@message", value: text },
        { field: "@ptr", value: "x" },
      ]);
  };
  const accessed = (members: Record<string, string>) =>
    JSON.stringify({
      requestId: "-",
      integrationRequestId: "-",
      routeKey: "GET /passes/{partner_reference}",
      status: "500",
      responseLatencyMs: "10012",
      integrationError: "-",
      gatewayError: "-",
      clientCertSubject: "-",
      clientCertSerial: "-",
      ...members,
    });
  const explain = (id: string, ...more: string[]) => runOperator(["explain", id, "--stage", "test", ...more]);
  const told = async (id: string) => JSON.parse((await explain(id, "--json")).stdout);

  test("tells of a refusal, by the function's own line, what the caller is not told", async () => {
    const answer = await get(`/sell-orders/${demo.ramp.orderId}`, { "x-api-key": "b".repeat(43) });
    const { error_id: errorId } = (await answer.json()) as { error_id: string };
    const requestId = answer.headers.get("apigw-requestid") ?? "";
    log(accessed({ requestId, clientCertSubject: "CN=acme", clientCertSerial: "7" }));
    const { code, stdout } = await explain(errorId);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^GET \/sell-orders\/\{order_id\}\n401 invalid_credentials, in /),
    ]);
    expect(stdout).toMatch(/credentials {2}refused +unknown API key$/m);
    expect(await told(requestId)).toMatchObject({
      requestId,
      errorId,
      endpoint: "get-sell-order",
      reason: "unknown API key",
      tokensCharged: 0,
      presented: [{ kind: "client certificate", names: { subject: "CN=acme", serial: "7" } }],
      advice: expect.stringContaining("WWW-Authenticate"),
    });
    expect(new Set(aws.calls.map(({ name }) => name))).toEqual(
      new Set(logCalls.map((call) => `logs:${call}`)),
    );
    expect(queries[0]?.logGroupNames).toEqual(["functions", "access"]);
  });

  test("tells of a read whose it was and what it was charged, and claims nothing that no log has", async () => {
    const answer = await get(`/sell-orders/${demo.ramp.orderId}`, partner());
    const seen = await told(answer.headers.get("apigw-requestid") ?? "");
    expect(seen).toMatchObject({ status: 200, owner: demo.ramp.partnerId, tokensCharged: 1 });
    expect(new Set(seen.steps.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(["passed"]),
    );
    for (const unknown of ["calls", "presented", "parameters", "clientRequestId"])
      expect(seen).not.toHaveProperty(unknown);
    const parameters = await get("/sell-orders/order-1", partner());
    expect((await told(parameters.headers.get("apigw-requestid") ?? "")).steps).toEqual(
      expect.arrayContaining([
        { step: "scope", outcome: "passed" },
        { step: "parameters", outcome: "not known" },
      ]),
    );
  });

  test("tells of a function that was ended how Lambda ended it", async () => {
    const own = { integrationError: "ended", gatewayError: "Internal Server Error" };
    log(accessed({ requestId: "gateway-ended=", integrationRequestId: "lambda-ended", ...own }));
    const message = { errorType: "Runtime.ExitError", errorMessage: "exit" };
    log(JSON.stringify({ requestId: "lambda-ended", message }));
    const metrics = { durationMs: 10_000, maxMemoryUsedMB: 97, memorySizeMB: 1_024 };
    const record = { requestId: "lambda-ended", status: "timeout", metrics };
    log(JSON.stringify({ time: "2026-11-29T00:30:00.000Z", type: "platform.report", record }));
    expect((await explain("gateway-ended=")).stdout).toMatch(
      /\nSteps\n {2}The gateway answered by itself: the function ended with timeout after 10000 ms and with 97 of its 1024 MB; Runtime\.ExitError: exit; ended; Internal Server Error\.\n/,
    );
    expect(await told("lambda-ended")).toMatchObject({
      requestId: "gateway-ended=",
      endpoint: "get-pass",
      status: 500,
      durationMs: 10_012,
      advice: "docs/runbook.md, Gateway, has the steps.",
    });
  });

  test("tells of a failure its error, with its causes", async () => {
    const fault = {
      name: "Failure",
      frames: ["at read (lib/a.ts:1:2)"],
      cause: { name: "ThrottlingException", message: "Rate exceeded", request_id: "ABC", frames: [] },
    };
    const ids = { gateway_request_id: "gateway-failed=", error_id: "error-failed", trace_id: "1-failed" };
    const line = {
      endpoint: "get-pass",
      method: "GET",
      route: "/passes/{partner_reference}",
      owner: "wallet",
    };
    const answer = {
      status: 503,
      code: "temporarily_unavailable",
      duration_ms: 9,
      timestamp: "2026-11-29T00:30:00.009Z",
    };
    log(JSON.stringify({ ...line, ...answer, ...ids, fault }));
    const { stdout } = await explain("error-failed");
    expect((await explain("1-failed")).stdout).toBe(stdout);
    expect(stdout).toContain("\n503 temporarily_unavailable, in 9 ms, at 2026-11-29T00:30:00.000Z\n");
    expect(stdout).toContain(
      "\nError\n  Failure\n  at read (lib/a.ts:1:2)\n  ThrottlingException Rate exceeded (request ABC)\n",
    );
    expect(stdout).toContain("docs/runbook.md, Failures, has the steps.");
  });

  test("looks at the last three hours before it looks further, and passes over lines that only have the letters", async () => {
    const old = new Date(Date.now() - 5 * 3_600_000).toISOString();
    const other = { method: "GET", route: "/", status: 200, duration_ms: 1, timestamp: old };
    log(JSON.stringify({ ...other, gateway_request_id: "other=", owner: "gateway-old=" }), old);
    log(accessed({ requestId: "gateway-old=", status: "404", routeKey: "-" }), old);
    log(JSON.stringify({ endpoint: "get-pass", owner: "gateway-old=" }));
    expect(await told("gateway-old=")).toMatchObject({ status: 404, receivedAt: old, steps: [] });
    expect(queries).toHaveLength(3);
    const furtherS = Number(queries[0]?.startTime) - Number(queries[1]?.startTime);
    expect(Math.round(furtherS / 3_600)).toBe(7 * 24 - 3);
  });

  test("says since when nothing was found, with exit code 1", async () => {
    const { code, stdout, stderr } = await explain("gateway-none=", "--since", "2026-11-29T00:30:00Z");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^No line of the stage test since 2026-11-29T00:30:00\.000Z has this id: 1,234 lines/,
    );
  });

  test.each([
    ["logs:StartQuery", denied("logs:StartQuery"), /may not do it: logs:StartQuery\. Attach IncidentsPolicy/],
    [
      "logs:StartQuery",
      new AwsRefusal("ResourceNotFoundException", "Log group 'x' does not exist"),
      /Log group 'x' does not exist\. A part of the logs is gone: npx cdk deploy countinghouse-test-api/,
    ],
    ["logs:GetQueryResults", { status: "Timeout" }, /ended as Timeout\. Give a shorter --since/],
    ["logs:DescribeQueryDefinitions", { queryDefinitions: [] }, /There are no logs of the stage test/],
  ])("says what to do where %s is answered by %j", async (call, answer, message) => {
    aws.answers.set(call, () => answer);
    expect(await explain("gateway-none=")).toMatchObject(failing(message));
  });

  test("puts nothing into a query that would end its text", async () => {
    expect(await explain('x" or "" like "')).toMatchObject(failing("not an id"));
    expect(queries).toEqual([]);
  });
});
