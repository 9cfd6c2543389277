import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { rampKeyId } from "../../../lib/auth/credential.ts";
import { contractBrand } from "../../../lib/brand.ts";
import { putSellOrder } from "../../../lib/sell-orders/put-sell-order.ts";
import { SellOrderRegister } from "../../../lib/sell-orders/sell-order-register.ts";
import { CredentialRegister } from "../../../local/credentials/credential-register.ts";
import { plainStore, type StoreKind } from "../../support/engine.ts";
import { comparableBody, type TestService } from "../../support/service.ts";

const UUID = "f6868ab3-dba4-4812-a98b-3bf818fcacfa";
const ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const order = (id: string, amount = "0.123456789012345678", payment = "service") =>
  `{"id":"${id}","fiat":{"amount":1500.50,"currency":"EUR"},"crypto":{"amount":${amount},"currencyId":"ETH"},"fees":{"ramp_fee":{"amount":1.0,"currency":"EUR"}},"exchange_rate":2500,"payment":"${payment}","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","status":"AWAITING_DEPOSIT","fees_partner_currency":{}}`;

/** The tests of the endpoint, against a service that is open on a store of this kind. */
export const describeGetSellOrder = (kind: StoreKind, opened: () => TestService): void => {
  describe(`GET /sell-orders/{order_id} on ${kind}`, () => {
    let service: TestService;
    let key: { "x-api-key": string };
    let otherKey: { "x-api-key": string };

    async function issueKey(owner: string, changes = {}) {
      const apiKey = randomBytes(32).toString("base64url");
      const register = new CredentialRegister(service.table("Credentials"));
      await register.add({
        id: rampKeyId(apiKey),
        kind: "ramp-key",
        owner,
        scopes: [],
        createdAt: 0,
        ...changes,
      });
      return { "x-api-key": apiKey };
    }
    async function store(partnerId: string, record: string): Promise<void> {
      const orders = new SellOrderRegister(service.table("SellOrders"));
      expect(await putSellOrder(orders, contractBrand, partnerId, record)).toEqual({ outcome: "written" });
    }

    beforeAll(async () => {
      service = opened();
      key = await issueKey("partner-1");
      otherKey = await issueKey("partner-2");
      await store("partner-1", order(UUID));
      await store("partner-1", order(ULID));
    });

    describe("200", () => {
      test("amounts come back with the digits they were stored with", async () => {
        const response = await service.get(`/sell-orders/${UUID}`, key);
        expect(response.status).toBe(200);
        expect(await response.text()).toBe(order(UUID));
      });

      test.each([UUID.toUpperCase(), ULID.toLowerCase(), "01arz3NDEKTSV4RRFFQ69G5FAV"])(
        "%s is found in any letter case and returned as it was given at creation",
        async (spelling) => {
          const body = (await (await service.get(`/sell-orders/${spelling}`, key)).json()) as { id: string };
          expect([UUID, ULID]).toContain(body.id);
          expect(body.id.toLowerCase()).toBe(spelling.toLowerCase());
        },
      );

      test("two partners may own the same id, and each sees their own", async () => {
        await store("partner-2", order(UUID, "2.50"));
        expect(await (await service.get(`/sell-orders/${UUID}`, otherKey)).text()).toBe(order(UUID, "2.50"));
        expect(await (await service.get(`/sell-orders/${UUID}`, key)).text()).toBe(order(UUID));
      });

      test("every demo order that the demo file names is there", async () => {
        const { ramp } = service.demo;
        for (const [name, id] of Object.entries(ramp.orders)) {
          const body = (await (
            await service.get(`/sell-orders/${id}`, { "x-api-key": ramp.apiKey })
          ).json()) as Record<string, string>;
          expect([body.status, body.fail_reason]).toContain(name);
          expect(Object.values(body)).not.toContain(null);
        }
      });
    });

    test("404: another partner's order looks exactly like a missing one", async () => {
      const [theirs, missing] = await Promise.all([
        service.get(`/sell-orders/${ULID}`, otherKey),
        service.get("/sell-orders/24688438-40e1-70d0-d97e-084cfc8992c7", otherKey),
      ]);
      expect([theirs.status, missing.status]).toEqual([404, 404]);
      expect(await comparableBody(theirs)).toEqual(await comparableBody(missing));
    });

    // What follows does not depend on the store.
    if (kind !== plainStore) return;

    test("400: what is neither a UUID nor a ULID", async () => {
      const response = await service.get("/sell-orders/01ARZ3NDE%E2%84%AATSV4RRFFQ69G5FAV", key);
      expect(response.status).toBe(400);
      expect(await comparableBody(response)).toEqual({
        code: "validation_error",
        message: "order_id: must be a UUID or a ULID.",
      });
    });

    test("401: a token of the business interface is refused here, and a partner's key there", async () => {
      const authorization = `Bearer ${service.demo.business.token}`;
      expect((await service.get(`/sell-orders/${UUID}`, { authorization })).status).toBe(401);
      expect((await service.get("/transactions", key)).status).toBe(401);
      expect(
        (await service.get("/transactions", { authorization: `Bearer ${key["x-api-key"]}` })).status,
      ).toBe(401);
    });
  });
};
