import { expect, test } from "vitest";
import { memoryLimiter } from "../../../../../ops/demo/partner/partner.ts";
import { NOW } from "../../../../support/chain.ts";

test("a full bucket admits 300 requests; a refusal costs nothing, and its wait is enough and not too long", async () => {
  let now = NOW;
  const limiter = memoryLimiter(() => now);
  for (let request = 0; request < 300; request++) expect((await limiter.charge("wallet", 1)).waitMs).toBe(0);
  const refused = await limiter.charge("wallet", 1);
  expect(refused.waitMs).toBe(10);
  expect(refused.headers).toMatchObject({ RateLimit: expect.stringContaining("r=0") });
  now += 9;
  expect((await limiter.charge("wallet", 1)).waitMs).toBe(1);
  now += 1;
  expect((await limiter.charge("wallet", 1)).waitMs).toBe(0);
  expect((await limiter.charge("wallet", 1)).waitMs).toBe(10);
});
