import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elementsOf, prettyJson } from "../../../../ops/get/json-text.ts";

describe("the elements of an array", () => {
  test("are the texts that were put together, whatever is in them", () =>
    fc.assert(
      fc.property(fc.array(fc.json()), fc.constantFrom(",", " , ", ",\r\n\t"), (elements, comma) => {
        expect(elementsOf(`[${elements.join(comma)}]`)).toEqual(elements);
      }),
    ));

  test("keep their digits, and a line each", () => {
    expect(elementsOf('\n[ {"a":33.80},\n{\n"b":[1,{"c":"],[\\"}"}]}\n]')).toEqual([
      '{"a":33.80}',
      '{ "b":[1,{"c":"],[\\"}"}]}',
    ]);
    expect(elementsOf(" [ ] ")).toEqual([]);
  });
});

describe("a document for people", () => {
  test("has a line for each member, and its digits", () => {
    expect(prettyJson('{"amount":0.991438254750782685,"fee":33.80}')).toBe(
      '{\n  "amount": 0.991438254750782685,\n  "fee": 33.80\n}',
    );
  });

  test("stays as it is if it cannot be read", () => {
    expect(prettyJson('{"a":1,"a":2}')).toBe('{"a":1,"a":2}');
  });
});
