import { describe, expect, test } from "vitest";
import { readQuery } from "../../../lib/http/query.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { instantOf, microsKey } from "../../../lib/instant.ts";
import { answerTransaction, answerTransactions } from "../../../lib/transactions/answers.ts";
import { readCursor, writeCursor } from "../../../lib/transactions/cursor.ts";
import type {
  TransactionPage,
  TransactionQuery,
  TransactionStore,
} from "../../../lib/transactions/transaction-store.ts";
import { NOW } from "../../support/chain.ts";

const lifecycle = {
  basePath: "/api",
  deprecatedAt: "2026-01-01T00:00:00Z",
  sunsetAt: "2027-06-30T00:00:00Z",
};
const principal = { owner: "business-1", scopes: [] };
const POSITION = `${microsKey(instantOf(NOW))}#tx-1`;

describe("one transaction", () => {
  const store = {
    get: async () => "by id",
    newestByRequestId: async () => undefined,
  } as unknown as TransactionStore;
  const answer = answerTransaction(store, lifecycle);
  const request = readRequest({});

  test("is looked up by its own id unless the request id is asked for", async () => {
    expect(await answer({ path: { id: "x" }, query: {}, principal, request })).toEqual({
      body: "by id",
      headers: {},
    });
  });

  test("a lookup by request id never falls back to ids, and says in either case when it ends", async () => {
    const asked = answer({ path: { id: "x" }, query: { id_type: "request_id" }, principal, request });
    const headers = {
      Deprecation: "@1767225600",
      Sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
      Link: '</api/transactions>; rel="successor-version"',
    };
    await expect(asked).rejects.toMatchObject({ code: "not_found", headers });
  });
});

describe("a list", () => {
  function listing(page: TransactionPage) {
    const queries: TransactionQuery[] = [];
    const store = {
      page: async (query: TransactionQuery) => {
        queries.push(query);
        return page;
      },
    };
    const { answer } = answerTransactions(store as unknown as TransactionStore, () => NOW);
    const ask = (rawQuery: string, query: object) =>
      answer({
        path: {},
        query: { count: 100, ...query },
        principal,
        request: readRequest({ rawQueryString: rawQuery }),
      });
    return { queries, ask };
  }

  test("is a bare array of the stored texts, and without a Link when it ends", async () => {
    expect(await listing({ docs: ['{"a":0.10}', "{}"] }).ask("", {})).toEqual({ body: '[{"a":0.10},{}]' });
    expect(await listing({ docs: [] }).ask("", {})).toEqual({ body: "[]" });
  });

  test("links to its next page with the caller's parameters, the place, and the end of its window", async () => {
    const { ask } = listing({ docs: ["{}"], next: POSITION });
    const link = (await ask("count=1&state=pending&state=failed&cursor=old", {})).headers?.Link;
    const next = new URLSearchParams(/^<\?(.*)>; rel="next"$/.exec(link ?? "")?.[1]);
    expect(next.getAll("state")).toEqual(["pending", "failed"]);
    expect(next.get("count")).toBe("1");
    expect(next.get("to")).toBe("2026-11-24T21:00:00.000Z");
    expect(next.getAll("cursor")).toEqual([writeCursor(POSITION)]);
  });

  test.each(["INV 2026/11 +A=", "a&b=c#d%", '<x>; rel="next", <y', "счёт 😀", "a\u2028b"])(
    "encodes the request id %j in its Link, which leads on to the same one",
    async (request_id) => {
      const { ask } = listing({ docs: ["{}"], next: POSITION });
      const rawQuery = `request_id=${encodeURIComponent(request_id)}&from=2026-11-24`;
      const from = { seconds: 1_795_478_400, fraction: "" };
      const link = (await ask(rawQuery, { request_id, from })).headers?.Link ?? "";
      expect(link).toMatch(/^<\?[\w%.*+=&-]+>; rel="next"$/);
      const next = /^<\?(.*)>/.exec(link)?.[1] ?? "";
      const rules = { known: ["request_id"], repeatable: [], refusesUnknown: false };
      expect(readQuery(next, rules)).toEqual({ request_id });
    },
  );

  test("keeps an end that the caller gave", async () => {
    const { ask } = listing({ docs: ["{}"], next: POSITION });
    const link = (await ask("to=2026-01-01", { to: { seconds: 1_767_225_600, fraction: "" } })).headers?.Link;
    expect(link).toContain("to=2026-01-01&");
  });

  test("asks the store for the caller's own records only, at the place the cursor names", async () => {
    const { ask, queries } = listing({ docs: [] });
    await ask("", { cursor: writeCursor(POSITION), account: ["a"], request_id: undefined });
    expect(queries).toEqual([
      {
        businessId: "business-1",
        count: 100,
        toMicros: microsKey(instantOf(NOW)),
        position: POSITION,
        accounts: ["a"],
      },
    ]);
  });

  test.each([
    "",
    "x",
    "!",
    writeCursor("x"),
    writeCursor("123#tx"),
    `${writeCursor(POSITION)}=`,
    ` ${writeCursor(POSITION)}`,
    writeCursor(`${POSITION}/`),
  ])("cursor %j, which no Link gave, is refused", async (cursor) => {
    await expect(listing({ docs: [] }).ask("", { cursor })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

test("a cursor reads back as the place it was written for", () => {
  expect(readCursor(writeCursor(POSITION))).toBe(POSITION);
});

test("a window or a cursor that is wrong is refused before the caller is charged", async () => {
  const { precheck } = answerTransactions({} as TransactionStore, () => NOW);
  const check = (query: object) =>
    precheck({ path: {}, query: { count: 1, ...query }, principal, request: readRequest({}) });
  await expect(check({ cursor: "x" })).rejects.toMatchObject({ code: "invalid_cursor" });
  await expect(check({ request_id: "r" })).rejects.toMatchObject({ code: "validation_error" });
  await expect(check({})).resolves.toBeUndefined();
});
