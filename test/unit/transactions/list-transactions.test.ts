import { describe, expect, test, vi } from "vitest";
import { readQuery } from "../../../lib/http/query.ts";
import type { Content } from "../../../lib/http/respond.ts";
import { instantOf, microsKey } from "../../../lib/instant.ts";
import { readCursor, writeCursor } from "../../../lib/transactions/cursor.ts";
import { planListTransactions } from "../../../lib/transactions/list-transactions.ts";
import type { TransactionPage, TransactionQuery } from "../../../lib/transactions/transaction-page.ts";
import { NOW } from "../../support/chain.ts";

const principal = { owner: "business-1", scopes: [] };
const POSITION = `${microsKey(instantOf(NOW))}#tx-1`;

/** The list over a store that answers with one page, and what the store was asked for. */
function listing(page: TransactionPage) {
  const queries: TransactionQuery[] = [];
  const store = {
    page: async (query: TransactionQuery) => {
      queries.push(query);
      return page;
    },
  };
  const clock = vi.fn(() => NOW);
  const plan = planListTransactions(store, clock);
  const planFor = (rawQuery: string, query: object) =>
    plan({ path: {}, query: { count: 100, ...query }, principal, headers: {}, rawQuery });
  const ask = async (rawQuery: string, query: object): Promise<Content> =>
    (await (await planFor(rawQuery, query)).answer()) as Content;
  return { queries, clock, planFor, ask };
}

describe("a list", () => {
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

  const filters = { account: ["a", "b"], type: ["fee"], state: ["failed", "pending"], request_id: "r" };
  const asked = { accounts: ["a", "b"], types: ["fee"], states: ["failed", "pending"], requestId: "r" };
  test.each([
    [{}, {}],
    [
      { cursor: writeCursor(POSITION), account: ["a"], request_id: undefined },
      { position: POSITION, accounts: ["a"] },
    ],
    [
      { count: 7, from: { seconds: 1_795_478_400, fraction: "5" }, ...filters },
      { count: 7, fromMicros: "001795478400500000", ...asked },
    ],
  ])(
    "asks the store for the caller's own records only, by what the query says: %j",
    async (query, members) => {
      const { ask, queries } = listing({ docs: [] });
      await ask("", query);
      const bare = { businessId: "business-1", count: 100, toMicros: microsKey(instantOf(NOW)) };
      expect(queries).toStrictEqual([{ ...bare, ...members }]);
    },
  );

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
    await expect(listing({ docs: [] }).ask("", { cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
      message: "cursor: did not come from a Link of this list; use the Link unchanged.",
    });
  });
});

test("a cursor reads back as the place it was written for", () => {
  expect(readCursor(writeCursor(POSITION))).toBe(POSITION);
});

test("a window or a cursor that is wrong is refused before the caller is charged, and asks the store for nothing", async () => {
  const { planFor, queries } = listing({ docs: [] });
  await expect(planFor("", { cursor: "x" })).rejects.toMatchObject({ code: "invalid_cursor" });
  await expect(planFor("", { request_id: "r" })).rejects.toMatchObject({ code: "validation_error" });
  await expect(planFor("", {})).resolves.toMatchObject({ cost: 1 });
  expect(queries).toEqual([]);
});

test("the window that was judged is the one that is read and linked to, however long the charge takes", async () => {
  const { planFor, queries, clock } = listing({ docs: ["{}"], next: POSITION });
  const { answer } = await planFor("", {});
  clock.mockReturnValue(NOW + 60_000);
  const { headers } = (await answer()) as Content;
  expect(queries.map(({ toMicros }) => toMicros)).toEqual([microsKey(instantOf(NOW))]);
  expect(headers?.Link).toContain(`to=${encodeURIComponent("2026-11-24T21:00:00.000Z")}`);
  expect(clock).toHaveBeenCalledTimes(1);
});
