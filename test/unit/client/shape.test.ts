import { describe, expect, test } from "vitest";
import { parseTwice } from "../../../client/src/exact-json.ts";
import { findMisfit, type Shape } from "../../../client/src/shape.ts";

const shape: Shape = {
  id: "text",
  count: "integer",
  "fee?": "decimal",
  legs: [{ amount: "decimal", "more?": "object" }],
  "actions?": ["object"],
};
const misfitIn = (text: string): string | undefined => findMisfit(shape, parseTwice(text));
const document = (members: string): string => `{"id":"a","count":1,"legs":[],${members}}`;

describe("a document", () => {
  test.each([
    ["all members", '{"id":"a","count":3,"fee":0.10,"legs":[{"amount":1,"more":{"x":1}}]}'],
    ["objects of any members", document('"actions":[{},{"a":[1]}]')],
    ["none that may be absent", '{"id":"","count":-1,"legs":[]}'],
    ["a member that is not known", document('"new":{"a":[1]}')],
  ])("with %s fits", (_, text) => expect(misfitIn(text)).toBeUndefined());

  test.each([
    ["a list", "[]", "the document"],
    ["nothing", "null", "the document"],
    ["a text", '"a"', "the document"],
    ["a member missing", '{"id":"a","legs":[]}', "count"],
    ["a number as text", document('"fee":"0.10"'), "fee"],
    ["null for what may be absent", document('"fee":null'), "fee"],
    ["a fraction for an integer", document('"count":1.5'), "count"],
    ["an integer beyond the safe ones", document('"count":9007199254740993'), "count"],
    ["a number for a text", document('"id":1'), "id"],
    ["an object for a list", document('"legs":{}'), "legs"],
    ["a list for an object", document('"legs":[[]]'), "legs[0]"],
    ["a wrong member within", document('"legs":[{"amount":1},{"amount":"1"}]'), "legs[1].amount"],
    ["a text in a list of any objects", document('"actions":[{},"a"]'), "actions[1]"],
    ["a list for any members", document('"legs":[{"amount":1,"more":[]}]'), "legs[0].more"],
  ])("with %s does not fit, and the member is named", (_, text, path) => {
    expect(misfitIn(text)).toBe(path);
  });

  test("keeps its decimals as text, and its integers become numbers", () => {
    const parsed = parseTwice('{"id":"1","count":3,"fee":0.10,"legs":[{"amount":-1.50,"more":{"n":7}}]}');
    expect(findMisfit(shape, parsed)).toBeUndefined();
    expect(parsed.exact).toEqual({
      id: "1",
      count: 3,
      fee: "0.10",
      legs: [{ amount: "-1.50", more: { n: "7" } }],
    });
  });
});
