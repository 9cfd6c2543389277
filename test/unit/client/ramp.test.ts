import { describe, expect, test } from "vitest";
import { Countinghouse, type OrderFollowOptions, type WaitOptions } from "../../../client/src/index.ts";
import { sellOrderText } from "../../support/documents.ts";
import { errorBody, SCRIPT_BEGINS_MS, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";

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
});

/** Follows orders until the script or the follow ends. */
async function follow(ids: Iterable<string>, answers: readonly Scripted[], options: OrderFollowOptions = {}) {
  const server = scriptServer(answers);
  const client = new Countinghouse({ ...server.options, ramp: { apiKey: "K" }, retry: { attemptsMax: 1 } });
  const changes = client.ramp.follow(ids, options);
  const given: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { id, status, fail_reason: why = "" } of changes)
      given.push(`${id.slice(0, 1)} ${status}${why}`);
  };
  const end = await read().catch((error: Error) => error.message);
  const asked = server.sent.map(
    ({ url, atMs }) => `${(atMs - SCRIPT_BEGINS_MS) / 1000} ${new URL(url).pathname.slice(18, 19)}`,
  );
  return { given, end, asked, waits: server.waits, resume: changes.resume, read };
}

const OTHER = ORDER.replace("8", "9");
const ofOther = (status: string): Scripted => at(status, { id: OTHER });

describe("a follow of orders", () => {
  test("gives each as it is and when it has changed, and looks at each as often as it may change", async () => {
    const { given, asked } = await follow(
      [ORDER, OTHER],
      [
        at("AWAITING_DEPOSIT"),
        ofOther("PROCESSING"),
        ofOther("PROCESSING"),
        ofOther("COMPLETED"),
        at("FAILED", { fail_reason: "EXPIRED" }),
        at("FAILED", { fail_reason: "REFUNDED" }),
      ],
    );
    expect(given).toEqual([
      "8 AWAITING_DEPOSIT",
      "9 PROCESSING",
      "9 COMPLETED",
      "8 FAILEDEXPIRED",
      "8 FAILEDREFUNDED",
    ]);
    expect(asked).toEqual(["0 8", "0 9", "5 9", "10 9", "60 8", "86460 8", "172860 8"]);
  });

  test("looks as often as the program says, but once a day after a failure, and as soon at an id that was added", async () => {
    let looks = 0;
    const ids = {
      *[Symbol.iterator]() {
        yield ORDER;
        if (looks++ > 2) yield OTHER;
      },
    };
    const answers = [missing, at("AWAITING_DEPOSIT"), at("FAILED"), ofOther("COMPLETED"), at("COMPLETED")];
    const { asked } = await follow(ids, answers, { everyMs: 250 });
    expect(asked).toEqual(["0 8", "0.25 8", "0.5 8", "0.75 9", "86400.5 8"]);
  });

  test("ends once all are completed, or not there for ten minutes, which is told once", async () => {
    const told: string[] = [];
    const { given, end, waits } = await follow(
      [OTHER, ORDER],
      [ofOther("COMPLETED"), ...Array.from({ length: 121 }, () => missing)],
      { onMissing: (id) => told.push(id) },
    );
    expect([given, end, told]).toEqual([["9 COMPLETED"], undefined, [ORDER]]);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(600_000);
  });

  test("goes on where another one has ended, with what was added, and without what is completed", async () => {
    const begun = await follow([OTHER, ORDER], [ofOther("COMPLETED"), at("PROCESSING")]);
    const resume = JSON.parse(JSON.stringify(begun.resume));
    const ids = new Set([OTHER, ORDER]);
    const added = ORDER.replace("8", "7");
    const onWait = (): unknown => ids.add(added);
    const busy = { status: 429, headers: { "Retry-After": "1" }, body: errorBody("rate_limited") };
    const answers = [busy, at("PROCESSING"), at("PROCESSING"), at("PROCESSING", { id: added })];
    const { given, asked } = await follow(ids, answers, { resume, onWait: () => void onWait() });
    expect(given).toEqual(["7 PROCESSING"]);
    expect(asked.slice(0, 4)).toEqual(["0 8", "1 8", "6 8", "6 7"]);
  });

  test("looks at the others before one that failed, when it goes on", async () => {
    const failed = { status: 401, body: errorBody("invalid_credentials") };
    const { end, read, asked, given } = await follow([ORDER, OTHER], [failed, ofOther("COMPLETED")]);
    expect([end, asked]).toEqual([expect.stringContaining("401"), ["0 8"]]);
    await expect(read()).rejects.toThrow("no answer left");
    expect(given).toEqual(["9 COMPLETED"]);
  });

  test("forgets an order that was erased", async () => {
    const { given, end, resume } = await follow([ORDER], [at("PROCESSING"), missing]);
    expect([given, end, resume]).toEqual([["8 PROCESSING"], undefined, { seen: {} }]);
  });
});
