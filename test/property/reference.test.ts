import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { contractBrand } from "../../lib/brand.ts";
import { checkPass } from "../../lib/passes/pass.ts";
import { checkSellOrder } from "../../lib/sell-orders/sell-order.ts";
import { checkTransaction } from "../../lib/transactions/transaction.ts";
import { endpointReferences } from "../../local/endpoints/endpoints.ts";
import { type JsonSchema, parameterShapes } from "../../local/endpoints/json-schema.ts";
import { importSchemas } from "../../local/endpoints/schemas.ts";
import { parametersOf } from "../../publish/reference/parameters.ts";
import { newValidator } from "../support/answer-check.ts";
import { cases } from "../support/cases.ts";
import { sellOrderText, transactionText } from "../support/documents.ts";

const ajv = newValidator();

/** A parameter's text as a client of the document reads it: an integer where the schema says so. */
const readValue = (text: string, { type, items }: JsonSchema): unknown => {
  if (type === "array") return [readValue(text, items ?? {})];
  return type === "integer" && /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
};

const words = fc.oneof(
  fc.string(),
  fc.integer({ min: -5, max: 3_000 }).map(String),
  fc.integer({ min: 0, max: 9_000_000_000_000_000 }).map(String),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom("transfer", "completed", "request_id", "COMPLETED", "0", "00", "1e3", "2026-11-20"),
);

const parameters = endpointReferences.flatMap((reference) => {
  const shapes = parameterShapes(reference.contract);
  return parametersOf(reference).flatMap(({ name, schema }) => {
    const shape = shapes[name];
    return shape === undefined ? [] : [[`${reference.contract.name} ${name}`, shape, schema] as const];
  });
});

describe("a parameter's schema", () => {
  test.each(parameters)("refuses no value that the endpoint takes: %s", (_, shape, schema) => {
    const validate = ajv.compile(schema);
    fc.assert(
      fc.property(words, (text) => {
        const value = schema.type === "array" ? [text] : text;
        fc.pre(z.safeParse(shape as z.ZodMiniType, value).success);
        expect(validate(readValue(text, schema)), text).toBe(true);
      }),
    );
  });
});

describe("an import's schema", () => {
  const schemas = importSchemas();
  const checks = {
    transaction: (text: string) => checkTransaction(contractBrand, "business-1", text),
    "sell-order": (text: string) => checkSellOrder(contractBrand, "partner-1", text),
    pass: checkPass,
  } as const;
  const samples: Readonly<Record<keyof typeof checks, string>> = {
    transaction: transactionText(),
    "sell-order": sellOrderText(),
    pass: '{"partner_reference":"ref-1","type":"loyalty_pass","version":7,"semantics":{"points":10.5}}',
  };

  test.each(Object.keys(checks) as (keyof typeof checks)[])(
    "refuses no %s that the import takes, whatever a member is",
    (kind) => {
      const validate = ajv.compile(schemas[kind] ?? false);
      const sample = JSON.parse(samples[kind]) as object;
      let taken = 0;
      const name = fc.constantFrom(...Object.keys(schemas[kind]?.properties ?? {}));
      const value = fc.oneof(words, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue());
      fc.assert(
        fc.property(name, value, (member, given) => {
          const text = JSON.stringify({ ...sample, [member]: given });
          const checked = checks[kind](text);
          // An import leaves out or empties a member that says nothing, such as null, which the schema need not allow.
          if (!checked.ok || saysNothing(JSON.parse(textOf(checked.value)), member)) return;
          taken += 1;
          expect(validate(JSON.parse(text)), text).toBe(true);
        }),
        { numRuns: cases(4_000) },
      );
      // An import refuses most values; those that it takes are the ones that are compared.
      expect(taken).toBeGreaterThan(100);
    },
  );

  test.each(Object.keys(checks) as (keyof typeof checks)[])(
    "and its import answer for a %s in which an object with a length is in the place of a member",
    (kind) => {
      for (const member of Object.keys(schemas[kind]?.properties ?? {})) {
        const text = JSON.stringify({ ...JSON.parse(samples[kind]), [member]: { length: 1 } });
        expect(() => checks[kind](text), member).not.toThrow();
      }
    },
  );

  test.each([
    ["transactions", "transaction"],
    ["sell-orders", "sell-order"],
  ])("takes every line of docs/examples/records/%s", async (folder, kind) => {
    const validate = ajv.compile(schemas[kind] ?? false);
    const directory = join(import.meta.dirname, "../../docs/examples/records", folder);
    for (const file of await readdir(directory)) {
      const lines = (await readFile(join(directory, file), "utf8")).trimEnd().split("\n");
      for (const line of lines) expect(validate(JSON.parse(line)), line).toBe(true);
    }
  });
});

const saysNothing = (served: Readonly<Record<string, unknown>>, member: string): boolean =>
  served[member] === undefined || JSON.stringify(served[member]) === "{}";

const textOf = (record: { readonly doc: string } | { readonly text: string }): string =>
  "doc" in record ? record.doc : record.text;
