import { describe, expect, test } from "vitest";
import { contractVersion } from "../../../lib/passes/contract-version.ts";
import { entityTag } from "../../../lib/passes/entity-tag.ts";
import { planGetPass } from "../../../lib/passes/get-pass.ts";
import type { StoredPass } from "../../../lib/passes/pass.ts";

const HEADER = "Service-API-Version";
const VERSION = "2026-07-01";
const TEXT = '{"partner_reference":"ref-1"}';
const current: StoredPass = { state: "current", text: TEXT, version: 1, templateId: undefined };

/** What the plan for a pass answers, over a store that holds one pass as `ref-1`. */
async function answerOf(
  stored: StoredPass | undefined,
  { reference = "ref-1", headers = {} }: { reference?: string; headers?: Record<string, string> } = {},
) {
  const passes = { get: async (asked: string) => (asked === "ref-1" ? stored : undefined) };
  const plan = await planGetPass(
    passes,
    HEADER,
  )({
    path: { partner_reference: reference },
    query: {},
    principal: { owner: "wallet", scopes: [] },
    headers: { [HEADER.toLowerCase()]: VERSION, ...headers },
    rawQuery: "",
  });
  expect(plan.cost).toBe(1);
  return plan.answer();
}

describe("a pass", () => {
  const headers = { ETag: entityTag(VERSION, TEXT), Vary: HEADER };

  test("is answered to the letter and never compressed, with a tag that is the body's own", async () =>
    expect(await answerOf(current)).toEqual({ body: TEXT, coding: "identity", headers }));

  test("is not sent again to whoever names its tag", async () => {
    const known = { "if-none-match": headers.ETag };
    expect(await answerOf(current, { headers: known })).toEqual({ notModified: true, headers });
  });

  test.each<[string, StoredPass | undefined, string, string, string]>([
    ["was never published", undefined, "ref-1", "not_found", "There is no pass with this reference."],
    ["has another reference", current, "ref-2", "not_found", "There is no pass with this reference."],
    ["was voided", { state: "void", goneAt: 1 }, "ref-1", "gone", "The pass is gone for good."],
  ])("that %s is told to be so, whatever tag is named", async (_, stored, reference, code, message) => {
    const refusal = { code, message };
    await expect(answerOf(stored, { reference })).rejects.toMatchObject(refusal);
    await expect(answerOf(stored, { reference, headers: { "if-none-match": "*" } })).rejects.toMatchObject(
      refusal,
    );
  });

  test("is looked for under references that a pass can have, and under no others", async () => {
    const plan = planGetPass({ get: () => expect.unreachable("the store was asked") }, HEADER);
    const { answer } = await plan({
      path: { partner_reference: "a/b" },
      query: {},
      principal: { owner: "wallet", scopes: [] },
      headers: { [HEADER.toLowerCase()]: VERSION },
      rawQuery: "",
    });
    await expect(answer()).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the contract's version", () => {
  const versions = ["2026-07-01", "2027-01-01"];
  const choose = (headers: Record<string, string>) => contractVersion(headers, HEADER, versions);

  test.each(versions)("is the one that the header names: %s", (version) =>
    expect(choose({ "service-api-version": version })).toBe(version),
  );

  test.each([
    ["none", {}],
    ["another date", { "service-api-version": "2026-07-02" }],
    ["the same date otherwise", { "service-api-version": "2026-7-1" }],
    ["more than one", { "service-api-version": "2026-07-01, 2027-01-01" }],
    ["one under the name of what every object has", { constructor: "2026-07-01" }],
  ])("is refused where the header names %s, and all that there are is told", (_, headers) =>
    expect(() => choose(headers)).toThrow(
      expect.objectContaining({
        code: "unsupported_version",
        message: "Service-API-Version: must be one of 2026-07-01, 2027-01-01.",
      }),
    ),
  );
});
