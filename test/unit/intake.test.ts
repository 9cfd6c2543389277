import { describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { notAhead } from "../../lib/intake.ts";
import { putSellOrder } from "../../lib/sell-orders/put-sell-order.ts";
import { putTransaction } from "../../lib/transactions/put-transaction.ts";
import { DAY_MS, NOW } from "../support/chain.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";

const clock = () => NOW;
const isoOf = (offsetMs: number) => new Date(NOW + offsetMs).toISOString();
/** A register that takes everything. */
const register = { put: async () => ({ outcome: "written" as const }) };

const writers = {
  "a transaction": (updated_at: string) =>
    putTransaction(register, contractBrand, "business-1", transactionText({ updated_at }), { clock }),
  "a sell order": (updated_at: string) =>
    putSellOrder(register, contractBrand, "partner-1", sellOrderText({ updated_at }), { clock }),
};

describe.each(Object.entries(writers))("%s", (_what, put) => {
  test.each([
    ["now", isoOf(0)],
    ["long ago", "1970-01-01T00:00:00Z"],
    ["ahead by a day", isoOf(DAY_MS)],
    ["ahead by a day, in another zone", isoOf(DAY_MS + 14 * 3_600_000).replace("Z", "+14:00")],
  ])("that was updated %s is taken in", async (_when, updated_at) =>
    expect(await put(updated_at)).toEqual({ outcome: "written" }),
  );

  test.each([
    ["ahead by a day and a microsecond", isoOf(DAY_MS).replace("Z", "001Z")],
    [
      "ahead by a day and a minute, in another zone",
      isoOf(DAY_MS + 60_000 - 12 * 3_600_000).replace("Z", "-12:00"),
    ],
    ["at the end of time", "9999-12-31T23:59:59.999999Z"],
  ])("that was updated %s is refused, and told by which clock", async (_when, updated_at) =>
    expect(await put(updated_at)).toEqual({
      outcome: "refused",
      reason: `updated_at is more than a day ahead of the importing clock, which says ${isoOf(0)}`,
    }),
  );
});

test("the machine's clock is the default", () => {
  const updated = (updatedMicros: string) => notAhead({ ok: true, value: { updatedMicros } }).ok;
  expect(updated("253402300799999999")).toBe(false);
  expect(updated("001772359200000000")).toBe(true);
});
