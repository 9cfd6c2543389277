import { afterAll, describe, expect, test } from "vitest";
import { plainStore } from "../support/engine.ts";
import { startTestService } from "../support/service.ts";

const service = await startTestService(plainStore);
afterAll(() => service.close());

describe("limits", () => {
  const burstOf = async (count: number, ask: (at: number) => Promise<Response>) => {
    const startedMs = Date.now();
    const responses = await Promise.all(Array.from({ length: count }, (_, at) => ask(at)));
    const refused = responses.filter(({ status }) => status === 429);
    return { responses, refused, admitted: count - refused.length, elapsedMs: Date.now() - startedMs };
  };

  test("a business has 60 requests at once and 20 a second, over both endpoints and all of its tokens together", async () => {
    const tokens = await Promise.all([1, 2].map(() => service.mint("limited", "transactions.read")));
    const { refused, admitted, elapsedMs } = await burstOf(80, (at) =>
      service.get(at % 2 === 0 ? "/transactions?count=1" : "/transaction/none", {
        authorization: `Bearer ${tokens[at % 3 === 0 ? 0 : 1]}`,
      }),
    );
    // Instances on one clock admit no more than the burst and the tokens that came back meanwhile.
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(60 + Math.ceil(elapsedMs / 50));
    for (const response of refused) {
      expect(response.headers.get("retry-after")).toBe("1");
      expect(response.headers.get("ratelimit-policy")).toBe('"business";q=60;w=3');
      expect(response.headers.get("ratelimit")).toBe('"business";r=0;t=3');
    }
  });

  test("a partner's limit is its own, and requests without credentials are charged to no owner", async () => {
    const { apiKey, otherApiKey, orderId, otherOrderId } = service.demo.ramp;
    const strangers = await burstOf(45, () => service.get(`/sell-orders/${orderId}`));
    expect(strangers.responses.map(({ status }) => status)).toEqual(Array(45).fill(401));
    const { admitted } = await burstOf(50, () =>
      service.get(`/sell-orders/${orderId}`, { "x-api-key": apiKey }),
    );
    expect(admitted).toBeGreaterThanOrEqual(40);
    const other = await service.get(`/sell-orders/${otherOrderId}`, { "x-api-key": otherApiKey });
    expect(other.status).toBe(200);
    expect(other.headers.get("ratelimit")).toBe('"ramp";r=39;t=1');
  });
});
