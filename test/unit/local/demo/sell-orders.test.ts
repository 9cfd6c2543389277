import { describe, expect, it } from "vitest";
import { contractBrand } from "../../../../lib/brand.ts";
import { normaliseOrderId } from "../../../../lib/sell-orders/order-id.ts";
import { failReasons, sellOrderStatuses } from "../../../../lib/sell-orders/sell-order-kinds.ts";
import { readDemoRecords } from "../../../../local/demo/demo-records.ts";

/** The sell orders of both partners as they are written. */
async function demoSellOrders(ownAccount: string) {
  const { partner, otherPartner } = await readDemoRecords({ anchorMs: Date.UTC(2026, 10, 27), ownAccount });
  return [partner, otherPartner].flatMap(({ ownerId, lines }) =>
    lines.map((line) => ({ partnerId: ownerId, text: "text" in line ? line.text : "" })),
  );
}

const orders = await demoSellOrders(contractBrand.ownAccount);

interface Document {
  id: string;
  payment: string;
  status: string;
  fail_reason?: string;
  transaction_hash?: string;
  fees: { partner_fee?: object };
  fees_partner_currency: { ramp_fee?: object; partner_fee?: object };
}

const parse = ({ text }: { readonly text: string }): Document => JSON.parse(text);
const documents = orders.map(parse);

describe("the demo's sell orders", () => {
  it("show every status, every reason, and a failure without one", () => {
    expect(new Set(documents.map(({ status }) => status))).toEqual(new Set(sellOrderStatuses));
    const reasons = documents
      .filter(({ status }) => status === "FAILED")
      .map(({ fail_reason }) => fail_reason);
    expect(new Set(reasons)).toEqual(new Set([...failReasons, undefined]));
  });

  it("are known by UUIDs and ULIDs in either case, none of them twice", () => {
    const spellings = [/^[\da-f-]{36}$/, /^[\dA-F-]{36}$/, /^[\dA-Z]{26}$/, /^[\da-z]{26}$/];
    for (const spelling of spellings) expect(documents.some(({ id }) => spelling.test(id))).toBe(true);
    const keys = documents.map(({ id }) => normaliseOrderId(id));
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(orders.length);
    const partners = new Set(orders.map(({ partnerId }) => partnerId));
    expect(partners).toEqual(new Set(["tide-wallet", "ember-wallet"]));
  });

  it("have a deposit exactly where their outcome allows one", () => {
    const deposits = (name: string) =>
      new Set(
        documents
          .filter(({ status, fail_reason }) => (fail_reason ?? status) === name)
          .map((document) => "transaction_hash" in document),
      );
    expect(deposits("AWAITING_DEPOSIT")).toEqual(new Set([false]));
    expect(deposits("EXPIRED")).toEqual(new Set([false]));
    for (const name of ["PROCESSING", "COMPLETED", "REFUNDED", "CREDITED_AS_CRYPTO"]) {
      expect(deposits(name)).toEqual(new Set([true]));
    }
    expect(deposits("FAILED")).toEqual(new Set([true, false]));
  });

  it("come with and without a partner's fee, with and without a partner's exchange rate", () => {
    const variants = documents.map(({ fees, fees_partner_currency: converted }) => {
      if ("ramp_fee" in converted) expect("partner_fee" in converted).toBe("partner_fee" in fees);
      else expect(converted).toEqual({});
      return `${"partner_fee" in fees} ${"ramp_fee" in converted}`;
    });
    expect(new Set(variants)).toEqual(new Set(["true true", "true false", "false true", "false false"]));
  });

  it("include amounts of eighteen decimals that no floating-point number holds", () => {
    const exact = orders.filter(({ text }) => /"crypto":\{"amount":\d+\.\d{17}[1-9],/.test(text));
    expect(exact.length).toBeGreaterThanOrEqual(8);
    const lost = exact.filter(
      ({ text }) => !JSON.stringify(JSON.parse(text)).includes(/\d+\.\d{18}/.exec(text)?.[0] ?? ""),
    );
    expect(lost.length).toBeGreaterThan(0);
  });

  it("name the payout by the brand's own word", async () => {
    const branded = (await demoSellOrders("acme")).map(parse);
    expect(new Set(branded.map(({ payment }) => payment))).toEqual(new Set(["acme"]));
  });
});
