import { Command } from "commander";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import {
  addJsonLinesOption,
  addJsonOption,
  jsonText,
  jsonTime,
  outputOf,
  printJson,
  RawJson,
  rawJson,
  withoutJson,
} from "../../../../ops/terminal/json-output.ts";
import { shapeText } from "../../../../ops/terminal/shape-text.ts";

const shape = z.object({
  id: z.string(),
  counts: z.record(z.string(), z.number()),
  at: z.optional(jsonTime),
});

/** What a call writes to standard output. */
function written(act: () => void): string {
  const spy = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  try {
    act();
    return spy.mock.calls.map(([chunk]) => String(chunk)).join("");
  } finally {
    spy.mockRestore();
  }
}

describe("a command's JSON", () => {
  test("is one text on one line, with the members of its shape and no others", () => {
    const value = { id: "a\nb", counts: { written: 1 }, secret: "not of the shape" };
    expect(written(() => printJson(shape, value))).toBe('{"id":"a\\nb","counts":{"written":1}}\n');
  });

  test.each([
    ["a member that is missing", { id: "a" }],
    ["a member of another type", { id: 1, counts: {} }],
    ["a time that is not ISO 8601 in UTC", { id: "a", counts: {}, at: "2026-11-29 00:30" }],
  ])("is not printed with %s", (_, value) => {
    const text = written(() => expect(() => printJson(shape, value as never)).toThrow());
    expect(text).toBe("");
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

describe("what a command says of its output", () => {
  test("is its shape, by --json, which the help shows in one line", () => {
    const command = addJsonOption(new Command("one"), shape, { id: "a", counts: {} });
    expect(outputOf(command)).toEqual({ shape, form: "text", example: { id: "a", counts: {} } });
    expect(command.options[0]?.description).toBe(
      "print one JSON text, for programs: { id, counts: { … }, at? }",
    );
    expect(command.parse(["--json"], { from: "user" }).opts()).toEqual({ json: true });
  });

  test("is the shape of each line where it streams", () => {
    const command = addJsonLinesOption(new Command("many"), shape);
    expect(outputOf(command)).toEqual({ shape, form: "lines" });
    expect(command.options[0]?.description).toMatch(/^print JSON lines, for programs: \{ id/);
  });

  test("is the reason why it has no --json", () => {
    const command = withoutJson(new Command("raw"), "It writes a file.");
    expect(outputOf(command)).toEqual({ reason: "It writes a file." });
    expect(command.options).toEqual([]);
  });

  test("is nothing where it said nothing", () => {
    expect(outputOf(new Command("silent"))).toBeUndefined();
  });
});

test.each([
  [z.array(z.object({ id: z.string(), scopes: z.array(z.string()) })), "[{ id, scopes: [] }]"],
  [z.object({ a: z.nullable(z.object({ b: z.optional(z.number()) })) }), "{ a: { b? } }"],
  [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "{ a } | { b }"],
  [z.object({}), "{}"],
  [z.optional(z.array(z.string())), "[string]"],
])("a shape of JSON in one line", (given, text) => {
  expect(shapeText(given)).toBe(text);
});
