import { describe, expect, test } from "vitest";
import { Countinghouse, type WaitOptions } from "../../../client/src/index.ts";
import { sellOrderText } from "../../support/documents.ts";
import { errorBody, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

const ORDER = "8f14e45f-ceea-467f-a0e6-0f9b1c2d3e4f";
const at = (status: string, members = {}): Scripted => ({ body: sellOrderText({ status, ...members }) });
const missing: Scripted = { status: 404, body: errorBody("not_found") };

function begin(answers: readonly Scripted[], options: WaitOptions = {}) {
  const server = scriptServer(answers);
  const client = new Countinghouse({ ...server.options, ramp: { apiKey: "K" } });
  const changes: string[] = [];
  const onChange: WaitOptions["onChange"] = (order, before) =>
    changes.push(`${before?.status ?? "-"} ${order.status}`);
  return { ...server, changes, final: client.ramp.waitUntilFinal(ORDER, { onChange, ...options }) };
}

describe("an order that is waited for", () => {
  test("is returned when it is completed, and each change is told once", async () => {
    const deposit = { transaction_hash: "0xab" };
    const { final, changes, waits } = begin([
      at("AWAITING_DEPOSIT"),
      at("AWAITING_DEPOSIT"),
      at("AWAITING_DEPOSIT", deposit),
      at("PROCESSING", deposit),
      at("PROCESSING", deposit),
      at("COMPLETED", deposit),
    ]);
    expect((await final).status).toBe("COMPLETED");
    expect(changes).toEqual([
      "- AWAITING_DEPOSIT",
      "AWAITING_DEPOSIT AWAITING_DEPOSIT",
      "AWAITING_DEPOSIT PROCESSING",
      "PROCESSING COMPLETED",
    ]);
    expect(waits).toEqual([60_000, 60_000, 60_000, 5_000, 5_000]);
  });

  test("is returned when it has failed, and at once when it is final already", async () => {
    const { final, waits } = begin([at("FAILED", { fail_reason: "EXPIRED" })]);
    expect((await final).fail_reason).toBe("EXPIRED");
    expect(waits).toEqual([]);
  });

  test("is looked at as often as the program says", async () => {
    const steps = [at("AWAITING_DEPOSIT"), at("PROCESSING"), at("COMPLETED")];
    const { final, waits } = begin(steps, { everyMs: 250 });
    await final;
    expect(waits).toEqual([250, 250]);
  });

  test("may not be there yet, for ten minutes", async () => {
    const { final } = begin([missing, missing, at("COMPLETED")]);
    expect((await final).status).toBe("COMPLETED");
    const never = begin(Array.from({ length: 130 }, () => missing));
    await expect(never.final).rejects.toMatchObject({ code: "not_found" });
    expect(never.waits.reduce((sum, ms) => sum + ms, 0)).toBe(600_000);
  });

  test.each<[string, string, number, Scripted[], WaitOptions?]>([
    ["is not there, and need not be", "not_found", 1, [missing], { missingMs: 0 }],
    ["was there, and is not any more", "not_found", 2, [at("PROCESSING"), missing]],
    ["is refused", "invalid_credentials", 1, [{ status: 401, body: errorBody("invalid_credentials") }]],
  ])("that %s is not waited for", async (_, code, requests, answers, options) => {
    const { final, sent } = begin(answers, options);
    await expect(final).rejects.toMatchObject({ code });
    expect(sent).toHaveLength(requests);
  });

  test("is waited for through failures that pass, as long as they tell", async () => {
    const busy = { status: 429, headers: { "Retry-After": "3" }, body: errorBody("rate_limited") };
    const { final, waits } = begin([busy, at("COMPLETED")]);
    await final;
    expect(waits).toEqual([3_000]);
  });

  test("needs nobody to be told of its changes, and keeps its digits", async () => {
    const { options } = scriptServer([at("PROCESSING"), at("COMPLETED")]);
    const { ramp } = new Countinghouse({ ...options, ramp: { apiKey: "K" } });
    expect((await ramp.waitUntilFinal(ORDER)).fiat.amount).toEqual(expect.any(String));
  });

  test("is not waited for after an abort", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(begin([at("PROCESSING")], { signal }).final).rejects.toThrow("enough");
  });
});
