import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { parseExactJson, writeExactJson } from "../../lib/json/exact-json.ts";
import { checkSellOrder } from "../../lib/sell-orders/sell-order.ts";
import { isMaskedCardNumber } from "../../lib/transactions/card-number.ts";
import { checkTransaction } from "../../lib/transactions/transaction.ts";
import { cases } from "../support/cases.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";

const digits = (minLength: number, maxLength: number) =>
  fc.stringMatching(new RegExp(`^\\d{${minLength},${maxLength}}$`));

/** Any number that JSON can write and a double can approximate. */
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9]\d{0,30}$/)),
    fc.option(
      digits(1, 30).map((text) => `.${text}`),
      { nil: "" },
    ),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,3}$/), { nil: "" }),
  )
  .map((parts) => parts.join(""))
  .filter((text) => Number.isFinite(Number(text)));

const withoutMinusZero = (text: string) => (/^-0(\.0*)?([eE].*)?$/.test(text) ? text.slice(1) : text);

test("every number keeps its digits, except that minus zero becomes zero", () => {
  fc.assert(
    fc.property(fc.array(numberText), (numbers) => {
      const written = writeExactJson(parseExactJson(`[${numbers.join(" ,\n")}]`) as object);
      expect(written).toBe(`[${numbers.map(withoutMinusZero).join(",")}]`);
    }),
  );
});

test("a document that is accepted means the same to other parsers as before", () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3, withNullPrototype: false }), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(writeExactJson(parseExactJson(text) as object))).toEqual(JSON.parse(text));
    }),
  );
});

/** Texts, some of which count as absent. */
const absentOr = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constantFrom(null, "", undefined));
const line = fc.string({ unit: "grapheme", maxLength: 20 });
const idText = fc.stringMatching(/^[A-Za-z0-9_~:@-]{1,20}$/);
const instantText = fc
  .tuple(
    fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
    fc.constantFrom("", ".1", ".123456789"),
    fc.constantFrom("Z", "+05:30", "-01:00"),
  )
  .map(
    ([date, fraction, zone]) =>
      `${new Date(date.getTime() + 86_400_000).toISOString().slice(0, 19)}${fraction}${zone}`,
  );

const transaction = fc.record({
  id: idText,
  request_id: absentOr(idText),
  created_at: instantText,
  updated_at: instantText,
  reference: absentOr(line),
  merchant: absentOr(fc.record({ name: absentOr(line), city: absentOr(line) }, { requiredKeys: [] })),
  card: absentOr(
    fc.record({ id: absentOr(idText), references: fc.constantFrom([], null, [{ name: "a", value: "b" }]) }),
  ),
});

test("a transaction that was normalised stays as it is", () => {
  fc.assert(
    fc.property(transaction, numberText, (members, amount) => {
      const text = transactionText(members).replace('"amount":-47.8', `"amount":${amount}`);
      const once = checkTransaction(contractBrand, "business-1", text);
      if (!once.ok) throw new Error(once.reason);
      expect(checkTransaction(contractBrand, "business-1", once.value.doc)).toEqual(once);
      expect(once.value.doc).not.toMatch(/:(?:null|""|\{\}|\[\])/);
    }),
  );
});

test("a sell order that was normalised stays as it is", () => {
  const order = fc.record({
    id: fc.oneof(
      fc.uuid(),
      fc.ulid(),
      fc.ulid().map((text) => text.toLowerCase()),
    ),
    created_at: instantText,
    updated_at: instantText,
    wallet: absentOr(line),
    transaction_hash: absentOr(line),
  });
  fc.assert(
    fc.property(order, numberText, (members, rate) => {
      const text = sellOrderText(members).replace('"exchange_rate":62527.5', `"exchange_rate":${rate}`);
      const once = checkSellOrder(contractBrand, "partner-1", text);
      if (!once.ok) throw new Error(once.reason);
      expect(checkSellOrder(contractBrand, "partner-1", once.value.doc)).toEqual(once);
    }),
  );
});

test("a card number that is accepted never shows nine digits in a row, nor any but the outer ones", () => {
  const sign = fc.constantFrom(..."0123456789*x -•".split(""));
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 24 }), (text) => {
      const shown = text.replaceAll(/[ -]/g, "");
      const runs = shown.match(/\d+/g) ?? [];
      const inner = runs.length - (/^\d/.test(shown) ? 1 : 0) - (/[^\d]\d+$/.test(shown) ? 1 : 0);
      const leading = /^\d*/.exec(shown)?.[0].length ?? 0;
      const trailing = /[^\d](\d*)$/.exec(shown)?.[1]?.length ?? 0;
      expect(isMaskedCardNumber(text)).toBe(inner === 0 && leading <= 8 && trailing <= 4);
    }),
    { numRuns: cases(100) },
  );
});

test("every text is accepted or refused without an error, and no refusal repeats a card number", () => {
  const noise = fc.oneof(fc.string(), fc.json(), fc.constant("4111111111111111"));
  fc.assert(
    fc.property(noise, fc.nat({ max: 400 }), (text, cut) => {
      const whole = transactionText({ card: { card_number: "4111111111111111" } });
      for (const document of [text, whole.slice(0, cut) + text + whole.slice(cut)]) {
        const checked = checkTransaction(contractBrand, "business-1", document);
        if (!checked.ok) expect(checked.reason).not.toMatch(/4111111/);
      }
    }),
  );
});
