import { describe, expect, test } from "vitest";
import { contractBrand } from "../../../lib/brand.ts";
import { checkSellOrder } from "../../../lib/sell-orders/sell-order.ts";
import { failReasons, sellOrderStatuses } from "../../../lib/sell-orders/sell-order-kinds.ts";
import { moneyOf, sellOrderText } from "../../support/documents.ts";

const check = (text: string, brand = contractBrand) => checkSellOrder(brand, "partner-1", text);
const violationOf = (members: Record<string, unknown>) => {
  const checked = check(sellOrderText(members));
  return checked.ok ? "none" : checked.reason;
};
const docOf = (text: string) => {
  const checked = check(text);
  return checked.ok ? checked.value.doc : checked.reason;
};
const hash = { transaction_hash: "0xabc" };

describe("a sell order", () => {
  test("of every member is served in the contract's order, as it came", () => {
    const doc = JSON.stringify({
      id: "F6868AB3-dba4-4812-a98b-3bf818fcacfa",
      fiat: moneyOf(1250.55),
      crypto: { amount: 0.02, currencyId: "BTC" },
      fees: { ramp_fee: moneyOf(12.5), partner_fee: moneyOf(3) },
      exchange_rate: 62527.5,
      payment: "service",
      created_at: "2026-03-01T10:00:00.000Z",
      updated_at: "2026-03-01T10:09:00Z",
      status: "FAILED",
      fail_reason: "REFUNDED",
      wallet: "bc1qexample",
      transaction_hash: "0xabc",
      fees_partner_currency: { ramp_fee: moneyOf(13.7, "USD"), partner_fee: moneyOf(3.3, "USD") },
    });
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(doc)).toReversed()));
    expect(docOf(doc)).toBe(doc);
    expect(docOf(reversed)).toBe(doc);
  });

  test("keeps the digits of its amounts", () => {
    const text = sellOrderText().replace("0.02", "0.123456789012345678").replace("62527.5", "1.50E+3");
    expect(docOf(text)).toContain('"crypto":{"amount":0.123456789012345678,');
    expect(docOf(text)).toContain('"exchange_rate":1.50E+3,');
  });

  test("has its times in UTC, with their original digits", () => {
    const doc = docOf(
      sellOrderText({ created_at: "2026-03-01T12:00:00.120+02:00", updated_at: "2026-03-01T10:00:00+00:00" }),
    );
    expect(doc).toContain('"created_at":"2026-03-01T10:00:00.120Z","updated_at":"2026-03-01T10:00:00Z"');
  });

  test("is kept under the normal spelling of its id and served under its own", () => {
    const checked = check(sellOrderText({ id: "01arz3ndektsv4rrffq69g5fav" }));
    expect(checked.ok && checked.value).toMatchObject({
      partnerId: "partner-1",
      orderId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      givenId: "01arz3ndektsv4rrffq69g5fav",
    });
    expect(checked.ok && checked.value.doc).toMatch(/^\{"id":"01arz3ndektsv4rrffq69g5fav",/);
  });

  test("loses members that are null or empty, but never fees_partner_currency", () => {
    const whole = docOf(sellOrderText());
    const empty = {
      wallet: "",
      transaction_hash: null,
      fail_reason: null,
      fees: { ramp_fee: moneyOf(12.5), partner_fee: {} },
      fees_partner_currency: { ramp_fee: null, partner_fee: {} },
    };
    for (const none of [null, "", " ", []])
      expect(docOf(sellOrderText({ fees_partner_currency: none }))).toBe(whole);
    expect(whole).toMatch(/"fees_partner_currency":\{\}\}$/);
    const nothing = { amount: null, currency: null };
    const bare = {
      fees: { ramp_fee: moneyOf(12.5), partner_fee: nothing },
      fees_partner_currency: { ramp_fee: nothing, partner_fee: { currency: "" } },
    };
    for (const members of [empty, bare]) expect(docOf(sellOrderText(members))).toBe(whole);
    expect(violationOf({ fees: { ramp_fee: nothing } })).toMatch(/^fees\.ramp_fee\.amount must be a number/);
  });

  const required = [
    "id",
    "fiat",
    "crypto",
    "fees",
    "exchange_rate",
    "payment",
    "created_at",
    "updated_at",
    "status",
  ];
  test.each([...required, "fees_partner_currency"])("needs %s", (member) =>
    expect(violationOf({ [member]: undefined })).toBe(`${member} is required`),
  );

  const oneStatus = "status must be one of AWAITING_DEPOSIT, PROCESSING, COMPLETED, FAILED";
  const unknown = "is not a member that the contract knows";
  const noCurrency = "must be a currency code of three upper-case letters (ISO 4217)";
  test.each([
    ["id", "tx_1", "id must be a UUID or a ULID"],
    ["fiat", { amount: 1 }, "fiat.currency is required"],
    ["fiat", { amount: "1", currency: "EUR" }, "fiat.amount must be a number"],
    ["crypto", { amount: 1, currencyId: "" }, "crypto.currencyId must not be empty"],
    ["fees", {}, "fees.ramp_fee is required"],
    ["fees", { ramp_fee: moneyOf(1, "eur") }, `fees.ramp_fee.currency ${noCurrency}`],
    ["exchange_rate", null, "exchange_rate must be a number"],
    ["payment", "card", "payment must be service"],
    ["status", "CREATED", oneStatus],
    ["status", "failed", oneStatus],
    ["fees_partner_currency", { other: 1 }, `fees_partner_currency.other ${unknown}`],
    ["orderId", "x", `orderId ${unknown}`],
  ])("refuses %s %j", (member, value, reason) => expect(violationOf({ [member]: value })).toBe(reason));

  test("is paid out to the brand's own account", () => {
    const brand = { ...contractBrand, ownAccount: "house" };
    expect(check(sellOrderText({ payment: "house" }), brand).ok).toBe(true);
    expect(check(sellOrderText(), brand)).toEqual({ ok: false, reason: "payment must be house" });
  });

  test("of no named partner is refused, and told how one is named", () =>
    expect(checkSellOrder(contractBrand, "", sellOrderText())).toEqual({
      ok: false,
      reason:
        "the partner must be named by 1 to 256 characters, none of them invisible, and no space at an end",
    }));
});

describe("status and fail_reason", () => {
  test.each([
    ["AWAITING_DEPOSIT", undefined, "AWAITING_DEPOSIT", "AWAITING_DEPOSIT (SEEN)"],
    ["PROCESSING", undefined, "PROCESSING", "PROCESSING"],
    ["COMPLETED", undefined, "COMPLETED", "COMPLETED"],
    ["FAILED", undefined, "FAILED", "FAILED"],
    ["FAILED", "FAILED", "FAILED", "FAILED"],
    ["FAILED", "REFUNDED", "FAILED", "FAILED"],
    ["FAILED", "EXPIRED", "FAILED (EXPIRED)", "FAILED (EXPIRED)"],
    ["PROCESSING", "EXPIRED", "PROCESSING", "PROCESSING"],
  ])(
    "%s (%s) is the state %s without a deposit, and %s with one",
    (status, fail_reason, without, withOne) => {
      for (const [deposit, state] of [
        [{}, without],
        [hash, withOne],
      ] as const)
        expect(check(sellOrderText({ status, fail_reason, ...deposit }))).toMatchObject({
          ok: true,
          value: { state },
        });
    },
  );

  test.each(sellOrderStatuses)("%s needs no fail_reason", (status) =>
    expect(violationOf({ status })).toBe("none"),
  );

  test.each(sellOrderStatuses.filter((status) => status !== "FAILED"))(
    "%s is served without any fail_reason, whatever the record says",
    (status) => {
      for (const fail_reason of [...failReasons, "OTHER", "expired", 0, null, {}])
        expect(docOf(sellOrderText({ status, fail_reason }))).toBe(docOf(sellOrderText({ status })));
    },
  );

  test.each(["OTHER", "expired", 0])(
    "FAILED for the reason %j, which the contract does not have, is refused",
    (fail_reason) =>
      expect(violationOf({ status: "FAILED", fail_reason })).toMatch(/^fail_reason must be one of EXPIRED,/),
  );

  test.each([
    ["EXPIRED", false, undefined],
    ["EXPIRED", true, undefined],
    ["REFUNDED", false, "fail_reason REFUNDED without a transaction_hash"],
    ["REFUNDED", true, undefined],
    ["CREDITED_AS_CRYPTO", false, "fail_reason CREDITED_AS_CRYPTO without a transaction_hash"],
    ["CREDITED_AS_CRYPTO", true, undefined],
    ["FAILED", false, undefined],
    ["FAILED", true, undefined],
    [undefined, false, undefined],
  ])("FAILED as %s with a deposit %s is accepted, with the oddity %s", (fail_reason, hasDeposit, oddity) => {
    const checked = check(sellOrderText({ status: "FAILED", fail_reason, ...(hasDeposit && hash) }));
    expect(checked).toMatchObject({ ok: true, value: { oddity } });
  });
});
