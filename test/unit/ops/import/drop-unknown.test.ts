import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { amount, text } from "../../../../lib/json/members.ts";
import { object, optional } from "../../../../lib/json/object-members.ts";
import { dropUnknown } from "../../../../ops/import/drop-unknown.ts";

const shape = object({
  id: text,
  inner: optional(object({ x: optional(amount) })),
  items: optional(z.array(object({ name: text }))),
});

function dropped(document: string) {
  const names: string[] = [];
  return { text: dropUnknown(shape, document, (name) => names.push(name)), names };
}

describe("members that a shape does not know", () => {
  test("are left out wherever they are, and the others keep their digits and their order", () => {
    const document =
      '{"a":1,"items":[{"name":"n","b":{}},{"c":null,"name":"m"}],"id":"1","inner":{"x":1.50,"d":[1]}}';
    const result = dropped(document);
    expect(result.text).toBe('{"items":[{"name":"n"},{"name":"m"}],"id":"1","inner":{"x":1.50}}');
    expect(result.names.toSorted()).toEqual(["a", "inner.d", "items.b", "items.c"]);
  });

  test("may have the name of an inherited member", () => {
    const names = Object.getOwnPropertyNames(Object.prototype);
    const members = names.map((name) => `${JSON.stringify(name)}:1`).join(",");
    const result = dropped(`{"id":"1",${members}}`);
    expect(result.text).toBe('{"id":"1"}');
    expect(result.names.toSorted()).toEqual(names.toSorted());
  });

  test("are named as a terminal may show them", () => {
    expect(dropped('{"id":"1","\\u009b4111111111111111":1}').names).toEqual(['"\\u{9b}…"']);
  });
});

test.each([
  '{"id":"1"}',
  '{"id": "1" }',
  "{}",
  '{"id":',
  "[]",
  "null",
  '{"id":"1","id":"2"}',
  "x".repeat(20_000),
])("a text without any is given back as it is: %.40s", (document) => {
  expect(dropped(document)).toEqual({ text: document, names: [] });
});

test("a mistake of the program is thrown, and is not taken for a text that is not a document", () =>
  expect(() => dropped(undefined as unknown as string)).toThrow(TypeError));
