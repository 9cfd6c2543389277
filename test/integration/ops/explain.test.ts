import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoFile } from "../../../local/demo/demo-file.ts";
import type { Explanation } from "../../../local/history/explain-route.ts";
import { type Service, startService } from "../../../local/local-service.ts";
import { filledDataDirectory } from "../../support/filled-demo.ts";
import { runOperator } from "../../support/operator.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { serviceOptions, silent } from "../../support/service-options.ts";

let dataDir: string;
const explain = (id: string, ...more: string[]) => runOperator(["explain", id, "--data", dataDir, ...more]);
const explained = async (id: string | null) =>
  JSON.parse((await explain(id ?? "", "--json")).stdout) as Explanation & { readonly advice: string };

let service: Service;
let demo: DemoFile;
beforeAll(async () => {
  dataDir = await filledDataDirectory();
  service = await startService(serviceOptions(dataDir), silent);
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
    expect(stdout).toContain("No route ends with a slash");
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
