import { beforeAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { putTransaction } from "../../../lib/transactions/put-transaction.ts";
import { TransactionRegister } from "../../../lib/transactions/transaction-register.ts";
import { plainStore, type StoreKind } from "../../support/engine.ts";
import { comparableBody, type TestService } from "../../support/service.ts";

const SCOPE = "transactions.read";

/** The tests of the endpoint, against a service that is open on a store of this kind. */
export const describeGetTransaction = (kind: StoreKind, opened: () => TestService): void => {
  describe(`GET /transaction/{id} on ${kind}`, () => {
    let service: TestService;
    let bearer: Record<string, string>;
    const as = async (subject: string, scope = SCOPE, claims = {}) => ({
      authorization: `Bearer ${await service.mint(subject, scope, claims)}`,
    });
    async function store(businessId: string, ...records: string[]): Promise<void> {
      const transactions = new TransactionRegister(service.table("Transactions"));
      for (const record of records) {
        expect(await putTransaction(transactions, contractBrand, businessId, record)).toEqual({
          outcome: "written",
        });
      }
    }
    const transaction = (id: string, amount: string, more = "") =>
      `{"id":"${id}","type":"transfer","state":"pending","created_at":"2026-01-01T02:00:00+02:00","updated_at":"2026-01-01T02:00:00+02:00",${more}"legs":[{"leg_id":"leg-1","amount":${amount},"currency":"GBP","account_id":"account-1"}]}`;

    beforeAll(async () => {
      service = opened();
      bearer = await as("business-1");
    });

    describe("200", () => {
      test.each(["0.1", "12345678901234567.89", "-47.80", "0.10", "1e-7", "100"])(
        "amount %s comes back with the digits it was stored with",
        async (amount) => {
          const record = transaction(`amount${amount}`, amount);
          await store("business-1", record);
          const response = await service.get(`/transaction/amount${amount}`, bearer);
          expect(response.status).toBe(200);
          expect(await response.text()).toBe(record);
        },
      );

      test("members that are null or empty are absent, and the time keeps its zone", async () => {
        await store("business-1", transaction("bare", "1", '"completed_at":null,"reference":"",'));
        expect(await (await service.get("/transaction/bare", bearer)).text()).toBe(transaction("bare", "1"));
      });

      test("every demo transaction that the demo file names is there", async () => {
        const { business } = service.demo;
        const authorization = `Bearer ${business.token}`;
        for (const [type, id] of Object.entries(business.types)) {
          const response = await service.get(`/transaction/${id}`, { authorization });
          expect(await response.json()).toMatchObject({ id, type });
        }
      });

      test("must not be stored by caches, and varies with the accepted compression", async () => {
        await store("business-1", transaction("headers", "1"));
        const { headers } = await service.get("/transaction/headers", { ...bearer, "request-id": "r-1" });
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("content-type")).toBe("application/json");
        expect(headers.get("vary")).toBe("Accept-Encoding");
        expect(headers.get("request-id")).toBe("r-1");
      });

      test("a lookup by request id finds the newest of several, never one by its own id, and says when it ends", async () => {
        await store(
          "business-1",
          transaction("x", "1", '"request_id":"y",'),
          transaction("y", "2", '"request_id":"z",'),
          transaction("x2", "3", '"request_id":"y",').replaceAll("2026-01-01T02", "2026-01-01T03"),
        );
        service.settle();
        const byRequest = await service.get("/transaction/y?id_type=request_id", bearer);
        expect(await byRequest.json()).toMatchObject({ id: "x2" });
        expect(byRequest.headers.get("deprecation")).toMatch(/^@\d+$/);
        expect(Date.parse(byRequest.headers.get("sunset") ?? "")).toBeGreaterThan(0);
        expect(byRequest.headers.get("link")).toBe('</transactions>; rel="successor-version"');
        const byId = await service.get("/transaction/y", bearer);
        expect(await byId.json()).toMatchObject({ id: "y" });
        expect(byId.headers.get("deprecation")).toBeNull();
      });
    });

    describe("404", () => {
      test("another business's transaction looks exactly like a missing one", async () => {
        await store("business-2", transaction("theirs", "1"));
        const [theirs, missing] = [
          await service.get("/transaction/theirs", bearer),
          await service.get("/transaction/none", bearer),
        ];
        expect(theirs.status).toBe(404);
        const comparable = ({ headers }: Response) =>
          [...headers].filter(
            ([name]) => !/^(request-id|apigw-requestid|date|ratelimit(-policy)?)$/.test(name),
          );
        expect(comparable(theirs)).toEqual(comparable(missing));
        expect(await comparableBody(theirs)).toEqual(await comparableBody(missing));
        expect((await service.get("/transaction/theirs", await as("business-2"))).status).toBe(200);
      });

      test.each([
        "00000000-0000-0000-0000-000000000001",
        "tx_123",
        "a".repeat(2049),
        "%C3%A9".repeat(1025),
        "%00",
        "a%20b",
        "%F0%9F%92%B6",
      ])("an id of any shape is looked up (%#)", async (id) => {
        expect((await service.get(`/transaction/${id}`, bearer)).status).toBe(404);
        expect((await service.get(`/transaction/${id}?id_type=request_id`, bearer)).status).toBe(404);
      });

      test("an unknown request id says when the lookup ends, too", async () => {
        const response = await service.get("/transaction/none?id_type=request_id", bearer);
        expect(response.status).toBe(404);
        expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
      });
    });

    // What follows does not depend on the store.
    if (kind !== plainStore) return;

    test.each(["toString", "constructor", "REQUEST_ID", "", "request_id&id_type=request_id"])(
      "400: id_type=%s names the parameter",
      async (value) => {
        const response = await service.get(`/transaction/x?id_type=${value}`, bearer);
        expect(response.status).toBe(400);
        expect(await comparableBody(response)).toMatchObject({
          code: "validation_error",
          message: expect.stringMatching(/^id_type: /),
        });
      },
    );

    test("403: another scope does not permit reading", async () => {
      const response = await service.get("/transaction/x", await as("business-1", "transactions.reads"));
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toContain('scope="transactions.read"');
    });

    test("nothing that the functions print holds a token, a path, a query or a record", async () => {
      await service.get("/transaction/headers?id_type=s3cret", { ...bearer, "request-id": "s3cret" });
      const printed = service.lines.join("\n");
      expect(service.lines.length).toBeGreaterThan(10);
      for (const secret of [
        bearer.authorization?.slice(7) ?? "",
        "s3cret",
        "headers",
        "account-1",
        "12345678901234567",
      ]) {
        expect(printed).not.toContain(secret);
      }
    });
  });
};
