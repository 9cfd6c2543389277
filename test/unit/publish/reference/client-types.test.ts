import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../local/endpoints/json-schema.ts";
import { sellOrderRecord } from "../../../../local/endpoints/records/sell-order.ts";
import { shapeOf } from "../../../../publish/reference/client-shapes.ts";
import { type Declarations, declareRecord } from "../../../../publish/reference/client-types.ts";

const text: JsonSchema = { type: "string", description: "A text." };
const orderOf = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const declared = (schema: JsonSchema): Declarations => {
  const declarations: Declarations = new Map();
  declareRecord(schema, sellOrderRecord, declarations);
  return declarations;
};

describe("the types of the client", () => {
  test("have a member for each of the schema's, with its text and whether it may be absent", () => {
    const amount = { type: "number", description: "An amount." };
    const when = { type: "integer", description: "An instant." };
    const declarations = declared(orderOf({ id: text, exchange_rate: amount, at: when }, ["id"]));
    expect(declarations.get("SellOrder")).toBe(
      "/** An off-ramp order of a partner. */\nexport interface SellOrder {\n" +
        "  /** A text. */\n  readonly id: string;\n" +
        "  /** An amount. */\n  readonly exchange_rate?: Decimal;\n" +
        "  /** An instant. */\n  readonly at?: number;\n}\n",
    );
  });

  test.each<readonly [string, JsonSchema, string]>([
    ["an object", orderOf({ other: orderOf({}) }), "SellOrder.other has no name"],
    ["a list of words", orderOf({ kind: { enum: ["a"] } }), "SellOrder.kind has no name"],
  ])("refuse %s that has no name", (_, schema, words) => {
    expect(() => declared(schema)).toThrow(words);
  });

  test("refuse two objects of one name that differ", () => {
    const fiat = orderOf({ amount: text });
    const fees = orderOf({ ramp_fee: orderOf({ amount: text, more: text }) });
    expect(() => declared(orderOf({ fiat, fees }))).toThrow("Money is declared in two ways");
  });
});

test("a shape has the kind of each member, and marks those that may be absent", () => {
  const schema = orderOf(
    {
      id: text,
      count: { type: "integer" },
      amount: { type: "number" },
      rest: { type: "object" },
      list: { type: "array", items: orderOf({ id: text }, ["id"]) },
    },
    ["id", "list"],
  );
  expect(shapeOf(schema)).toEqual({
    id: "text",
    "count?": "integer",
    "amount?": "decimal",
    "rest?": "object",
    list: [{ id: "text" }],
  });
});
