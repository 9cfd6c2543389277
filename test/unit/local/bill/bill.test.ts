import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { limitVariableOf } from "../../../../lib/rate-limit/settings.ts";
import { type Bill, billOf, billText } from "../../../../local/bill/bill.ts";
import { firstBucketsOf } from "../../../../local/companion.ts";
import type { StoreCall } from "../../../../local/store/store-call.ts";
import type { Application } from "../../../../local/template/template.ts";

const call = (more: Partial<StoreCall>): StoreCall => ({
  session: "s",
  operation: "GetItem",
  table: "countinghouse-local-SellOrders",
  key: "id",
  arrivedNs: 0n,
  durationMs: 1,
  readUnits: 0,
  writeUnits: 0,
  ...more,
});

const bucket = { name: "ramp", burst: 40, refillTokens: 20, refillWindowMs: 1_000 };
const update = {
  expression: "SET #x = :x, #t0 = #t0 + :c0",
  values: { ":c0": { N: "150" }, ":now": { N: "0" } },
};
const limits = {
  operation: "UpdateItem",
  table: "countinghouse-local-RateLimits",
  update,
  writeUnits: 1,
} as const;

describe("the first bucket of a limit", () => {
  test("is read from its function's environment once, for however many bills", () => {
    const [{ contract } = raise()] = endpoints.filter(({ contract: { name } }) => name === "get-sell-order");
    let reads = 0;
    const environment = {
      RATE_LIMITS_TABLE: "limits",
      get [limitVariableOf(contract.limit)]() {
        reads += 1;
        return JSON.stringify([bucket]);
      },
    };
    const functions = [{ name: "one", environment }] as unknown as Application["functions"];
    const bucketOf = firstBucketsOf({ functions });
    const found = [1, 2, 3].map(() => bucketOf("one", contract));
    expect(found).toEqual([bucket, bucket, bucket]);
    expect(reads).toBe(1);
    expect(bucketOf("another", contract)).toBeUndefined();
  });
});

const raise = (): never => {
  throw new Error("There is no such endpoint.");
};

describe("a bill", () => {
  test("adds up the units of the calls", () => {
    const bill = billOf([call({ readUnits: 1.5 }), call({ readUnits: 0.5 }), call(limits)], 600, bucket);
    expect(bill).toEqual({ tokens: 3, readUnits: 2, writeUnits: 1, bytesOut: 600 });
  });

  test("counts a charge only if it took effect, in the table of the limits, for an endpoint with a limit", () => {
    const failed = call({ ...limits, failure: "ConditionalCheckFailedException" });
    expect(billOf([failed, call(limits)], 0, bucket)).toMatchObject({ tokens: 3, writeUnits: 2 });
    expect(billOf([call({ ...limits, table: "another" })], 0, bucket).tokens).toBe(0);
    expect(billOf([call(limits)], 0, undefined).tokens).toBe(0);
  });

  const bill: Bill = { tokens: 2, readUnits: 0, writeUnits: 1.5, bytesOut: 12 };
  test("is a structured dictionary: integers, and decimals of at most three fractional digits", () => {
    expect(billText(bill)).toBe("tokens=2, read-units=0.0, write-units=1.5, bytes=12");
    expect(billText({ ...bill, readUnits: 10, writeUnits: 100.123_456 })).toContain(
      "read-units=10.0, write-units=100.123,",
    );
  });
});
