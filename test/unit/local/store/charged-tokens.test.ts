import type { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RateLimitStore } from "../../../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../../../lib/rate-limit/token-bucket.ts";
import { chargedTokens } from "../../../../local/store/charged-tokens.ts";

/** The write that a charge sends. */
async function writeOf(
  settings: Parameters<typeof bucketsOf>[0],
  charge: { now: number; cost: number; busy: ReadonlySet<string> },
) {
  const sent: UpdateItemCommand["input"][] = [];
  const client = {
    send: async ({ input }: UpdateItemCommand) => {
      sent.push(input);
      return { Attributes: {}, ConsumedCapacity: {} };
    },
  } as unknown as DynamoDBClient;
  await new RateLimitStore({ client, name: "limits" }).charge("k", bucketsOf(settings, 1), charge);
  const { UpdateExpression: expression = "", ExpressionAttributeValues: values = {} } = sent[0] ?? {};
  return { expression, values };
}

describe("the tokens of a charge", () => {
  const bucket = fc
    .record({ tokenMs: fc.integer({ min: 1, max: 1_000 }), refillTokens: fc.integer({ min: 1, max: 50 }) })
    .map(({ tokenMs, refillTokens }) => ({
      refillTokens,
      refillWindowMs: tokenMs * refillTokens,
      burst: 100,
    }));

  test("are those that its write charges, whichever buckets are full", async () => {
    const limits = fc
      .array(bucket, { minLength: 1, maxLength: 3 })
      .map((buckets) => buckets.map((one, at) => ({ ...one, name: `b${at}` })));
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 2_000_000_000_000 }),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        async (buckets, cost, now, isBusy) => {
          const busy = new Set(buckets.map(({ name }) => name).filter((_, at) => isBusy[at]));
          const write = await writeOf(buckets, { now, cost, busy });
          const [first] = buckets;
          expect(chargedTokens(write, first as NonNullable<typeof first>)).toBe(cost);
        },
      ),
    );
  });

  test("are not known of a write of another form", () => {
    const second = { name: "b", burst: 1, refillTokens: 1, refillWindowMs: 10 };
    const values = { ":c0": { N: "10" }, ":now": { N: "0" } };
    expect(chargedTokens({ expression: "SET a = :c0", values }, second)).toBeUndefined();
    expect(chargedTokens({ expression: "SET #t0 = :c0", values }, second)).toBe(1);
    expect(chargedTokens({ expression: "SET #t0 = :c0", values: {} }, second)).toBeUndefined();
    expect(
      chargedTokens({ expression: "SET #t0 = :c0", values: { ...values, ":c0": { N: "15" } } }, second),
    ).toBe(undefined);
  });
});
