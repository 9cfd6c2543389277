import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import { plainStore, type StoreKind } from "../../support/engine.ts";
import { comparableBody, type TestService } from "../../support/service.ts";

const SCOPE = "transactions.read";
const OWNER = "business-listed";
const RECORDS = 25;

/** Records of one business: five to an instant, so that pages end within ties. */
const record = (index: number) => {
  const at = `2026-01-0${1 + Math.floor(index / 5)}T12:00:00Z`;
  const state = index % 2 === 0 ? "pending" : "declined";
  return `{"id":"tx-${String(index).padStart(2, "0")}","type":"${index % 3 === 0 ? "fee" : "transfer"}","request_id":"request-${index % 4}","state":"${state}","created_at":"${at}","updated_at":"${at}","legs":[{"leg_id":"leg-1","amount":${index}.10,"currency":"GBP","account_id":"account-${index % 2}"}]}`;
};
const newestFirst = Array.from({ length: RECORDS }, (_, index) => index)
  .sort((a, b) => Math.floor(b / 5) - Math.floor(a / 5) || b - a)
  .map(record);

/** The tests of the endpoint, against a service that is open on a store of this kind. */
export const describeListTransactions = (kind: StoreKind, opened: () => TestService): void => {
  describe(`GET /transactions on ${kind}`, () => {
    let service: TestService;
    let bearer: Record<string, string>;

    beforeAll(async () => {
      service = opened();
      bearer = { authorization: `Bearer ${await service.mint(OWNER, SCOPE)}` };
      const store = new TransactionRegister(service.table("Transactions"));
      for (let index = 0; index < RECORDS; index += 1)
        await putTransaction(store, contractBrand, OWNER, record(index));
      await putTransaction(store, contractBrand, "business-unlisted", record(0));
      service.settle();
    });
    beforeEach(() => service.refill("business", OWNER));

    const list = (query = "") => service.get(`/transactions${query}`, bearer);
    const listed = async (query: string) => (await list(query)).text();
    const expected = (keep: (index: number) => boolean) =>
      `[${newestFirst.filter((text) => keep(Number(/tx-(\d+)/.exec(text)?.[1]))).join(",")}]`;

    describe("200", () => {
      test("lists the caller's own records, newest first, as they are stored, and ends without a Link", async () => {
        const response = await list();
        expect(response.status).toBe(200);
        expect(response.headers.get("link")).toBeNull();
        expect(await response.text()).toBe(expected(() => true));
      });

      test.each([1, 2, 4, 5, 24, 25, 26])(
        "in pages of %i, followed by their Links, no record is lost or doubled",
        async (count) => {
          const pages: string[] = [];
          let next: string | undefined = `?count=${count}`;
          while (next !== undefined) {
            const response = await list(next);
            pages.push((await response.text()).slice(1, -1));
            next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
          }
          expect(`[${pages.join(",")}]`).toBe(expected(() => true));
          expect(pages).toHaveLength(Math.ceil(RECORDS / count));
        },
      );

      test.each([
        ["state=pending", (i: number) => i % 2 === 0],
        ["type=fee", (i: number) => i % 3 === 0],
        ["type=fee&type=transfer&state=declined", (i: number) => i % 2 === 1],
        ["account=account-1", (i: number) => i % 2 === 1],
        ["account=account-1&account=account-0", () => true],
        ["account=account-9", () => false],
        ["state=pending&type=fee&account=account-1", () => false],
        ["from=2026-01-02T12:00:00Z", (i: number) => i >= 5],
        ["from=2026-01-02T12:00:00.000001Z", (i: number) => i >= 10],
        ["to=2026-01-02T12:00:00Z", (i: number) => i < 5],
        ["from=2026-01-02&to=2026-01-03", (i: number) => i >= 5 && i < 10],
        ["from=2026-01-02T13:00:00%2B01:00&to=2026-01-02T12:00:00.5Z", (i: number) => i >= 5 && i < 10],
        ["from=2026-01-02&to=2026-01-02", () => false],
        ["request_id=request-1&from=2026-01-01&to=2026-01-15", (i: number) => i % 4 === 1],
        [
          "request_id=request-1&from=2026-01-02&to=2026-01-03&state=declined",
          (i: number) => i % 4 === 1 && i >= 5 && i < 10 && i % 2 === 1,
        ],
        ["request_id=none&from=2026-01-01&to=2026-01-15", () => false],
        ["request_id=a%23b%2Fc&from=2026-01-01&to=2026-01-15", () => false],
        ["request_id=a%00&from=2026-01-01&to=2026-01-15", () => false],
        ["from=9999-12-31T23:59:59Z", () => false],
        ["from=9999-12-31&request_id=request-1&count=1", () => false],
      ])("%s lists exactly what matches", async (query, keep) => {
        expect(await listed(`?${query}`)).toBe(expected(keep));
      });

      test("pages with a filter lose no record, and keep the filter in their Links", async () => {
        const first = await list("?state=declined&count=7");
        const next = /^<(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
        const texts = [await first.text(), await listed(next)];
        expect(texts.map((text) => text.slice(1, -1)).join(",")).toBe(
          expected((i) => i % 2 === 1).slice(1, -1),
        );
      });

      test.each(["INV 2026/11 +A=", "..", "a#b%2F?c", "счёт №7", "<a>; b", "😀".repeat(128)])(
        "a client's own request id %j finds its payments, page by page, and no other's",
        async (requestId) => {
          const register = new TransactionRegister(service.table("Transactions"));
          const ids = ["a@GA", "b@GA", "c"].map((id) => `${id}:${Buffer.from(requestId).length}`);
          const texts = ids.map((id) =>
            record(0).replace("tx-00", id).replace('"request-0"', JSON.stringify(requestId)),
          );
          for (const text of texts) await putTransaction(register, contractBrand, "business-odd", text);
          service.settle();
          const odd = { authorization: `Bearer ${await service.mint("business-odd", SCOPE)}` };
          let next: string | undefined =
            `?request_id=${encodeURIComponent(requestId)}&from=2026-01-01&to=2026-01-15&count=2`;
          const pages: string[] = [];
          while (next !== undefined) {
            const response = await service.get(`/transactions${next}`, odd);
            pages.push((await response.text()).slice(1, -1));
            next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
          }
          expect(pages.join(",")).toBe(texts.toReversed().join(","));
          expect(pages).toHaveLength(2);
          for (const id of ids) {
            expect((await service.get(`/transaction/${id}`, odd)).status).toBe(200);
            expect((await service.get(`/transaction/${encodeURIComponent(id)}`, odd)).status).toBe(200);
          }
        },
      );

      test("a record that comes in between two pages does not move the second", async () => {
        const first = await list("?count=10");
        const next = /^<(.*)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
        const store = new TransactionRegister(service.table("Transactions"));
        const newest = record(0).replaceAll("2026-01-01T12", "2026-01-09T12").replace("tx-00", "tx-new");
        await putTransaction(store, contractBrand, OWNER, newest);
        const rest = await listed(`${next}&count=25`.replace("count=10&", ""));
        expect(rest).toBe(`[${newestFirst.slice(10).join(",")}]`);
      });
    });

    // What follows does not depend on the store.
    if (kind !== plainStore) return;

    test("a page whose texts are all quotes and backslashes still fits the answer of a function", async () => {
      const owner = "business-quotes";
      const authorization = `Bearer ${await service.mint(owner, SCOPE)}`;
      const store = new TransactionRegister(service.table("Transactions"));
      const ids = Array.from({ length: 300 }, (_, n) => `tx-${String(n).padStart(3, "0")}`);
      const text = (id: string) =>
        record(0)
          .replace("tx-00", id)
          .replace('"legs"', `"reference":${JSON.stringify('"\\'.repeat(3_600))},"legs"`);
      for (const id of ids) await putTransaction(store, contractBrand, owner, text(id));
      service.settle();
      for (const encoding of ["identity", "gzip"]) {
        const found: string[] = [];
        let next: string | undefined = "?count=1000";
        while (next !== undefined) {
          const headers = { authorization, "accept-encoding": encoding };
          const path = `/transactions${next}`;
          // On a busy machine, so large a page may take the store longer than a function waits: a caller asks again.
          const response = await vi.waitUntil(async () => {
            const answer = await service.get(path, headers);
            return answer.status !== 503 && answer;
          }, 50_000);
          expect(response.status).toBe(200);
          found.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
          next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
        }
        expect(found).toEqual(ids.toReversed());
      }
    });

    test.each([
      ["count=0", "count"],
      ["count=1001", "count"],
      ["count=10&count=10", "count"],
      ["from=2026-13-01", "from"],
      ["from=2026-01-01T00:00:00", "from"],
      ["from=2026-01-01T00:00:00+01:00", "from"],
      ["from=1795554000000", "from"],
      ["to=2026-02-30", "to"],
      ["from=2026-01-02&to=2026-01-01", "from"],
      ["request_id=r", "from"],
      ["request_id=r&from=2026-01-01&to=2026-01-15T00:00:00.000001Z", "to"],
      ["state=Pending", "state"],
      ["state=", "state"],
      ["type=toString", "type"],
      ["account=", "account"],
      ["cursor=x", "cursor"],
      ["cursor=a%2Cb", "cursor"],
      ["from=9999-12-31&to=9999-12-30", "from"],
      ["status=pending", "status"],
      ["state%5B%5D=pending", "state\\[\\]"],
      ["account[]=account-1", "account\\[\\]"],
      ["limit=5", "limit"],
    ])("400: %s names %s", async (query, parameter) => {
      const response = await list(`?${query}`);
      expect(response.status).toBe(400);
      const { message } = (await response.json()) as { message: string };
      expect(message).toMatch(new RegExp(`^${parameter}: `));
    });

    test("a plus sign that was not escaped is explained", async () => {
      const { message } = (await (await list("?from=2026-01-01T00:00:00+01:00")).json()) as {
        message: string;
      };
      expect(message).toContain("%2B");
    });

    test("401 and 403 come before any parameter is judged", async () => {
      expect((await service.get("/transactions?count=x")).status).toBe(401);
      const authorization = `Bearer ${await service.mint(OWNER, "other")}`;
      const refused = await service.get("/transactions?count=x", { authorization });
      expect(refused.status).toBe(403);
      expect(await comparableBody(refused)).toMatchObject({ code: "insufficient_scope" });
    });
  });
};
