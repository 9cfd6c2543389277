import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { jsonText, jsonTime, RawJson, rawJson } from "../../../../ops/terminal/json-output.ts";
import { shapeText } from "../../../../ops/terminal/shape-text.ts";

const shape = z.object({
  id: z.string(),
  counts: z.record(z.string(), z.number()),
  at: z.optional(jsonTime),
});

describe("a command's JSON", () => {
  test("is one text on one line, with the members of its shape and no others", () => {
    const value = { id: "a\nb", counts: { written: 1 }, secret: "not of the shape" };
    expect(jsonText(shape, value)).toBe('{"id":"a\\nb","counts":{"written":1}}');
  });

  test.each([
    ["a member that is missing", { id: "a" }],
    ["a member of another type", { id: 1, counts: {} }],
    ["a time that is not ISO 8601 in UTC", { id: "a", counts: {}, at: "2026-11-29 00:30" }],
  ])("is not printed with %s", (_, value) => {
    expect(() => jsonText(shape, value as never)).toThrow();
  });

  test.each(["2026-11-29T00:30:00Z", "2026-11-29T00:30:00.123Z", "+010000-01-01T00:00:00.000Z"])(
    "has times like %s",
    (at) => {
      expect(jsonText(jsonTime, at)).toBe(`"${at}"`);
    },
  );

  test("keeps every digit of a document, whatever the texts beside it are", () => {
    const documents = z.object({ text: z.string(), documents: z.array(rawJson) });
    const anything = fc.tuple(fc.string({ unit: "binary" }), fc.array(fc.json()));
    fc.assert(
      fc.property(anything, ([text, texts]) => {
        const printed = jsonText(documents, { text, documents: texts.map((one) => new RawJson(one)) });
        expect(printed).toBe(`{"text":${JSON.stringify(text)},"documents":[${texts.join(",")}]}`);
      }),
    );
    expect(jsonText(rawJson, new RawJson("1.10000000000000000001"))).toBe("1.10000000000000000001");
  });
});

test.each([
  [z.array(z.object({ id: z.string(), scopes: z.array(z.string()) })), "[{ id, scopes: [] }]"],
  [z.object({ a: z.nullable(z.object({ b: z.optional(z.number()) })) }), "{ a: { b? } }"],
  [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "{ a } | { b }"],
  [z.object({ id: z.string(), counts: z.record(z.string(), z.number()) }), "{ id, counts: { … } }"],
  [z.object({}), "{}"],
  [z.optional(z.array(z.string())), "[string]"],
])("a shape of JSON in one line", (given, text) => {
  expect(shapeText(given)).toBe(text);
});
