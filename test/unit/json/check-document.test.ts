import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { checkDocument, SERVED_BYTES_MAX, servedText } from "../../../lib/json/check-document.ts";
import { writeExactJson } from "../../../lib/json/exact-json.ts";
import { amount, text } from "../../../lib/json/members.ts";
import { object, optional } from "../../../lib/json/object-members.ts";

const shape = object({
  id: text,
  amount,
  note: optional(text),
  kind: z.enum(["a", "b"]),
  inner: optional(object({ x: optional(amount), deep: optional(object({ y: optional(text) })) })),
  money: optional(object({ amount, currency: text, of: optional(object({ name: text })) })),
  items: optional(z.array(object({ name: text }))),
});

const outcome = (members: string) => {
  const checked = checkDocument(shape, `{${members}}`);
  return checked.ok ? writeExactJson(checked.value) : checked.reason;
};
const good = '"id":"1","amount":1.50,"kind":"a"';

test("a text that is served has 16 KiB of UTF-8 at most", () => {
  const sized = (bytes: number) => ({ a: "é".repeat((bytes - 8) / 2) });
  const longest = servedText(sized(SERVED_BYTES_MAX));
  expect(longest).toEqual({ ok: true, value: JSON.stringify(sized(16_384)) });
  expect(servedText({ ...sized(16_384), a: `${sized(16_384).a}x` })).toEqual({
    ok: false,
    reason: "the document must not be larger than 16384 bytes of UTF-8 as it is served",
  });
});

describe("a document of the right shape", () => {
  test("comes back in the shape's order, with its digits", () =>
    expect(outcome('"kind":"b","amount":-1.50,"note":"n","id":"1"')).toBe(
      '{"id":"1","amount":-1.50,"note":"n","kind":"b"}',
    ));

  test.each(["null", '""', "{}", '{"x":null}', '{"deep":{"y":""}}', '{"deep":{}}'])(
    "loses an optional member that is %s",
    (empty) =>
      expect(outcome(`${good},"inner":${empty},"note":null,"items":[]`)).toBe(
        '{"id":"1","amount":1.50,"kind":"a"}',
      ),
  );

  test.each([
    "null",
    "{}",
    '{"amount":null}',
    '{"amount":null,"currency":"","of":{"name":null}}',
    '{"of":[]}',
  ])("loses an optional object that is %s, although it would have to have members", (empty) =>
    expect(outcome(`${good},"money":${empty}`)).toBe('{"id":"1","amount":1.50,"kind":"a"}'),
  );

  test("keeps an optional number that is zero", () =>
    expect(outcome(`${good},"inner":{"x":0}`)).toBe('{"id":"1","amount":1.50,"kind":"a","inner":{"x":0}}'));
});

describe("a document that is refused", () => {
  test.each([
    ["a missing member", '"id":"1","amount":1', "kind is required"],
    ["a required member that is null", '"id":"1","amount":null,"kind":"a"', "amount must be a number"],
    [
      "an optional object with only a part of its required members",
      `${good},"money":{"amount":0,"currency":null}`,
      "money.currency must be a string",
    ],
    [
      "an optional object of empty members with an unknown name",
      `${good},"money":{"amount":null,"currencyId":null}`,
      "money.currencyId is not a member that the contract knows; money.amount must be a number; money.currency is required",
    ],
    [
      "the same one level deeper",
      `${good},"money":{"amount":null,"currency":null,"of":{"nam":null}}`,
      "money.of.nam is not a member that the contract knows; money.amount must be a number; money.currency must be a string; money.of.name is required",
    ],
    ["a required text that is empty", '"id":"","amount":1,"kind":"a"', "id must not be empty"],
    ["a number as text", '"id":"1","amount":"1","kind":"a"', "amount must be a number"],
    ["a text as number", '"id":1,"amount":1,"kind":"a"', "id must be a string"],
    ["an object as text", `${good},"inner":"x"`, "inner must be an object"],
    ["a number as object", `${good},"inner":1.50`, "inner must be an object"],
    [
      "an object that pretends to be a number",
      '"id":"1","amount":{"rawJSON":"1"},"kind":"a"',
      "amount must be a number",
    ],
    ["an array as object", `${good},"items":{"name":"x"}`, "items must be an array"],
    ["a null element", `${good},"items":[null]`, "items[0] must be an object"],
    ["a word that is not in the list", '"id":"1","amount":1,"kind":"toString"', "kind must be one of a, b"],
    [
      "a number beyond every double",
      '"id":"1","amount":-1e400,"kind":"a"',
      "amount must be within the range of a double",
    ],
    ["an unknown member", `${good},"foo":1`, "foo is not a member that the contract knows"],
    ["an unknown member that is null", `${good},"foo":null`, "foo is not a member that the contract knows"],
    [
      "an unknown member deep inside",
      `${good},"inner":{"deep":{"z":null}}`,
      "inner.deep.z is not a member that the contract knows",
    ],
    [
      "a member named __proto__",
      `${good},"__proto__":{"id":"2"}`,
      "__proto__ is not a member that the contract knows",
    ],
    [
      "a member named constructor",
      `${good},"constructor":null`,
      "constructor is not a member that the contract knows",
    ],
  ])("for %s is told which", (_what, members, reason) => expect(outcome(members)).toBe(reason));

  test("names four violations, unknown members first, and says how many more there are", () =>
    expect(outcome('"foo":1,"inner":"x","items":"x"')).toBe(
      "foo is not a member that the contract knows; id is required; amount is required; kind is required; and 2 more",
    ));

  test("has strange names quoted, cut and without digits", () => {
    expect(outcome(`${good},"a\\n b":1`)).toBe('"a\\n b" is not a member that the contract knows');
    expect(outcome(`${good},"${"n".repeat(80)}":1`)).toMatch(/^n{64} is not/);
    expect(outcome(`${good},"pan 4111111111111111":1`)).toBe(
      '"pan …" is not a member that the contract knows',
    );
  });

  test.each([
    ["4594_8012_3456_8529", '"…"'],
    ["4594.8012.3456.8529", '"…"'],
    ["4594  8012  3456  8529", '"…"'],
    ["4594 - 8012 - 3456 - 8529", '"…"'],
    ["4594/8012/3456/8529", '"…"'],
    ["n45a94b80c12d34e56", "…"],
    ["４５９４８０１２３４５６８５２９", '"…"'],
    ["٤٥٩٤٨٠١٢٣٤٥٦٨٥٢٩", '"…"'],
    ["1234567", '"…"'],
  ])("never repeats more than six digits of a name: %s", (name, shown) => {
    const reason = outcome(`${good},${JSON.stringify(name)}:1`);
    expect(reason).toContain(shown);
    expect(reason.replace(" is not a member that the contract knows", "")).not.toMatch(/\p{Nd}/u);
  });

  test("shows six digits of a name, and none of a number that is spread over names within each other", () => {
    expect(outcome(`${good},"a123456":1`)).toMatch(/^a123456 is not/);
    expect(outcome(`${good},"inner":{"x":1,"deep":{"y":"1","4594801":1}}`)).toMatch(
      /^inner\.deep\."…" is not/,
    );
    const path = '"4594":{"8012":{"3456":{"8529":1,"8529":2}}}';
    expect(outcome(`${good},${path}`)).toBe('"…"."…"."…"."…" is given twice');
  });

  test.each([
    ["\u009b31mRED", '"\\u{9b}31mRED"'],
    ["\u202egpj.exe", '"\\u{202e}gpj.exe"'],
    ["\u2066left", '"\\u{2066}left"'],
    ["\u007f", '"\\u{7f}"'],
    ["\u2028", '"\\u{2028}"'],
    ["\u200b", '"\\u{200b}"'],
    ["\u001b]0;title\u0007", '"\\u001b]0;title\\u0007"'],
  ])("writes out what a terminal would act on: %j", (name, shown) => {
    expect(outcome(`${good},${JSON.stringify(name)}:1`)).toBe(
      `${shown} is not a member that the contract knows`,
    );
  });

  test.each(["[]", "1", "null", '"x"', "true"])("may be %s instead of an object", (document) =>
    expect(checkDocument(shape, document)).toEqual({ ok: false, reason: "the document must be an object" }),
  );
});

test("a member that breaks a rule without words of its own is told to be not valid", () => {
  const wordless = object({ even: z.string().check(z.refine((value) => value.length % 2 === 0)) });
  expect(checkDocument(wordless, '{"even":"ab"}')).toEqual({ ok: true, value: { even: "ab" } });
  expect(checkDocument(wordless, '{"even":"abc"}')).toEqual({ ok: false, reason: "even is not valid" });
});

test("a mistake of the program is thrown, and is not told as one of the document", () =>
  expect(() => checkDocument(shape, undefined as unknown as string)).toThrow(TypeError));
