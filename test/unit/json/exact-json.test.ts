import { describe, expect, test } from "vitest";
import {
  DocumentViolation,
  parseExactJson,
  TEXT_BYTES_MAX,
  writeExactJson,
} from "../../../lib/json/exact-json.ts";
import { memberPath } from "../../../lib/json/member-path.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const rewritten = (text: string) => writeExactJson(parseExactJson(text) as object);
const violationOf = (text: string): string => {
  const error = thrownBy(() => parseExactJson(text));
  if (error === undefined) return "none";
  expect(error).toBeInstanceOf(DocumentViolation);
  return (error as DocumentViolation).message;
};

describe("numbers", () => {
  test.each([
    "0",
    "0.1",
    "12345678901234567.89",
    "-47.80",
    "0.123456789012345678",
    "1E+2",
    "1e-7",
    "1.50",
    "9".repeat(40),
  ])("%s keeps its digits", (number) => expect(rewritten(`{"a":[${number}]}`)).toBe(`{"a":[${number}]}`));

  test.each([
    ["-0", "0"],
    ["-0.0", "0.0"],
    ["-0.00e5", "0.00e5"],
    ["-0E-1", "0E-1"],
    ["-0.01", "-0.01"],
  ])("%s is written %s", (number, expected) => expect(rewritten(`[${number}]`)).toBe(`[${expected}]`));

  test.each(["01", "+1", ".5", "1.", "1e", "0x10", "NaN", "Infinity", "-", "--1"])(
    "%s is not a number",
    (text) => expect(violationOf(`[${text}]`)).toMatch(/^the document must be one JSON text/),
  );
});

describe("a member given twice", () => {
  test.each([
    ["with other values", '{"a":1,"a":2}', "a is given twice"],
    ["with equal values", '{"a":1,"a":1}', "a is given twice"],
    ["in two spellings", '{"ab":1,"\\u0061b":1}', "ab is given twice"],
    ["deep inside", '{"legs":[{},{"x":{"amount":1,"amount":1}}]}', "legs[1].x.amount is given twice"],
    ["named __proto__", '{"__proto__":1,"__proto__":1}', "__proto__ is given twice"],
    [
      "whose name holds a card number",
      '{"4111 1111-11111111":1,"4111 1111-11111111":1}',
      '"…" is given twice',
    ],
  ])("%s is refused by name", (_how, text, message) => expect(violationOf(text)).toBe(message));

  test("is not one of another object, nor a text that looks like a name", () =>
    expect(violationOf('[{"a":"a","b":{"a":"\\"b\\":1,"}},{"a":1}]')).toBe("none"));
});

describe("members of every name", () => {
  test.each(["__proto__", "constructor", "toString"])("%s is a member and nothing else", (name) => {
    const value = parseExactJson(`{"${name}":{"x":true}}`) as object;
    expect(Object.keys(value)).toEqual([name]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    '{"b":1,"10":2,"2":3,"a":1.50}',
    '{"1":1}',
    '{"2":[{"1":1,"0":2}],"1":{"z":1,"4294967294":2,"4294967295":3,"00":4,"-1":5,"1.5":6}}',
    '[{"9":"\\"8\\":","7":"\\\\\\"6\\":"}]',
    '{"a":"\\\\ud80010","10":"\\"\\\\ud80010\\":","9":1}',
  ])("in %s stay where they are, digits or not", (text) => expect(rewritten(text)).toBe(text));

  test("that are digits in another spelling or with white space stay as well", () =>
    expect(rewritten('{"b" : 1 , "\\u0031\\u0030"\n:\t2, "2":3}')).toBe('{"b":1,"10":2,"2":3}'));

  test("that are digits are named by their digits in a refusal", () => {
    expect(violationOf('{"b":1,"10":{"2":1,"2":1}}')).toBe('"10"."2" is given twice');
    expect(memberPath(Object.keys(parseExactJson('{"10":1}') as object))).toBe('"10"');
  });
});

describe("a text that is not a document", () => {
  test.each(["", " ", "{", '{"a":1}{}', '{"a":1,}', "{'a':1}", '{"a":"\u0001"}', "// x\n{}", "\ufeff{}"])(
    "%j is refused",
    (text) => expect(violationOf(text)).toMatch(/^the document must be one JSON text/),
  );

  test("is refused with the place of the mistake, and none of its text is repeated", () => {
    const message = violationOf('{"card_number":4111111111111111x}');
    expect(message).toBe("the document must be one JSON text: see character 32");
  });

  test("because it is empty has no place to tell", () =>
    expect(violationOf("")).toBe("the document must be one JSON text"));

  test.each([
    ["half of a surrogate pair", '{"a":"\ud83d"}', "the document must be well-formed Unicode"],
    [
      "an escaped half",
      '{"x":[{"a":"\\ud83d"}]}',
      "x[0].a must be well-formed Unicode, without half of a surrogate pair",
    ],
    ...[
      ["a half as an element", '{"x":[1,"\\ud83d"]}', "x[1]"],
      ["a half as the last value", '{"x":{"a":1,"b":"\\ud83d"},"c":1}', "x.b"],
      ["a half as the first name", '{"\\ud83d":2}', '"\ufffd"'],
      ["a half as a name after others", '{"a":1,"\\ud83d":2}', '"\ufffd"'],
      ["a half as a name within", '{"a":[{"\\ud83d":2}]}', 'a[0]."\ufffd"'],
      ["a half as the document", '"\\ud83d"', "the document"],
    ].map(([what = "", text = "", place = ""]) => [
      what,
      text,
      `${place} must be well-formed Unicode, without half of a surrogate pair`,
    ]),
  ])("with %s is refused", (_what, text, message) => expect(violationOf(text)).toBe(message));

  test("may hold whole pairs, escaped or not", () =>
    expect(rewritten('{"a":"\\ud83d\\ude00😀"}')).toBe('{"a":"😀😀"}'));
});

describe("a document's size", () => {
  const sized = (bytes: number) => `{"a":"${"é".repeat((bytes - 8) / 2)}"}`;

  test("is 64 KiB at most as it is spelled", () => {
    expect(violationOf(sized(TEXT_BYTES_MAX))).toBe("none");
    expect(violationOf(`${sized(TEXT_BYTES_MAX)} `)).toBe(
      "the document must not be larger than 65536 bytes as it is spelled",
    );
  });

  test("is 16 levels at most, however they are made", () => {
    expect(violationOf(`${"[".repeat(16)}${"]".repeat(16)}`)).toBe("none");
    expect(violationOf(`${"[".repeat(17)}${"]".repeat(17)}`)).toBe(
      "the document must not be nested deeper than 16 levels",
    );
    expect(violationOf(`${"[".repeat(8_000)}${"]".repeat(8_000)}`)).toMatch(/nested deeper/);
  });
});

test("the text written is compact, with its members in their order", () =>
  expect(rewritten(' { "b" : [ 1 , true , null ] ,\n"a" : "x\\/y" } ')).toBe(
    '{"b":[1,true,null],"a":"x/y"}',
  ));
