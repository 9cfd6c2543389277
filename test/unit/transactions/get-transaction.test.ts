import { beforeEach, describe, expect, test } from "vitest";
import { planGetTransaction } from "../../../lib/transactions/get-transaction.ts";

const lifecycle = {
  basePath: "/api",
  deprecatedAt: "2026-01-01T00:00:00Z",
  sunsetAt: "2027-06-30T00:00:00Z",
};
const notice = {
  Deprecation: "@1767225600",
  Sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
  Link: '</api/transactions>; rel="successor-version"',
};
const principal = { owner: "business-1", scopes: [] };

describe("one transaction", () => {
  const lookUps: string[] = [];
  const store = {
    get: async (businessId: string, id: string) => {
      lookUps.push(`get ${businessId},${id}`);
      return "by id";
    },
    getNewestByRequestId: async (businessId: string, requestId: string) => {
      lookUps.push(`getNewestByRequestId ${businessId},${requestId}`);
      return requestId === "r-1" ? "by request id" : undefined;
    },
  };
  beforeEach(() => {
    lookUps.length = 0;
    now = sunsetMs - 1;
  });

  const sunsetMs = Date.parse(lifecycle.sunsetAt);
  let now = 0;
  const plan = planGetTransaction(store, lifecycle, () => now);
  const planFor = (id: string, query: { readonly id_type?: "request_id" } = {}) =>
    plan({ path: { id }, query, principal, headers: {}, rawQuery: "" });
  const byRequest = { id_type: "request_id" } as const;

  test("is looked up by its own id unless the request id is asked for", async () => {
    const { answer } = await planFor("x");
    expect(await answer()).toEqual({ body: "by id", headers: {} });
    expect(lookUps).toEqual(["get business-1,x"]);
  });

  test("a lookup by request id never falls back to ids, and says in either case when it ends", async () => {
    const [known, unknown] = [await planFor("r-1", byRequest), await planFor("x", byRequest)];
    expect(await known.answer()).toEqual({ body: "by request id", headers: notice });
    await expect(unknown.answer()).rejects.toMatchObject({
      code: "not_found",
      message: "There is no such transaction.",
      headers: notice,
    });
    expect(lookUps).toEqual(["getNewestByRequestId business-1,r-1", "getNewestByRequestId business-1,x"]);
  });

  test("a lookup by request id is refused from its end on, with its successor; one by id is not", async () => {
    now = sunsetMs;
    await expect(planFor("r-1", byRequest)).rejects.toMatchObject({
      code: "validation_error",
      message:
        "id_type: ended on Wed, 30 Jun 2027 00:00:00 GMT; use GET /transactions with request_id and from.",
      headers: notice,
    });
    expect(await (await planFor("x")).answer()).toMatchObject({ body: "by id" });
  });

  test("costs one token, found or not, and is looked for only after that", async () => {
    expect(await planFor("x")).toMatchObject({ cost: 1 });
    expect(await planFor("x", byRequest)).toMatchObject({ cost: 1 });
    expect(lookUps).toEqual([]);
  });
});
