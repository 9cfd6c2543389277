import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { keepDigits } from "../../../../docs/examples/typescript/exact-fetch.ts";
import type { JsonSchema } from "../../../../local/endpoints/json-schema.ts";
import { projectText } from "../../../support/project.ts";

const text = projectText("docs/api/openapi.json");

/** What the schema of OpenAPI 3.1 says of a document. `npm run test:tools` has it read by integrators' tools, too. */
const judge = (document: string) => new Validator().validate(JSON.parse(document));

test("the OpenAPI document is one by OpenAPI's own schema", async () => {
  expect(await judge(text)).toMatchObject({ valid: true });
});

test("a parameter that stands nowhere would be found", async () => {
  const broken = text.replace('"in": "path"', '"in": "route"');
  expect(broken).not.toBe(text);
  expect(await judge(broken)).toMatchObject({ valid: false });
});

/** The members of a schema, and of those within it, by name. */
const membersOf = ({ properties = {}, items }: JsonSchema): (readonly [string, JsonSchema])[] => [
  ...Object.entries(properties).flatMap(([name, member]) => [[name, member] as const, ...membersOf(member)]),
  ...(items === undefined ? [] : membersOf(items)),
];
const { schemas } = (JSON.parse(text) as { components: { schemas: Record<string, JsonSchema> } }).components;
const members = Object.values(schemas).flatMap(membersOf);

test("every number of an answer is an amount that exact-fetch.ts makes text, and whole numbers stay", () => {
  const kept = (type: string) =>
    new Set(
      members
        .filter(([, member]) => member.type === type)
        .map(([name]) => keepDigits(name, 1, { source: "1.0" })),
    );
  expect([kept("number"), kept("integer")]).toEqual([new Set(["1.0"]), new Set([1])]);
});

test("an amount is marked as one, and the words of answers are open", () => {
  for (const [name, member] of members) {
    expect(member.enum, name).toBeUndefined();
    if (member.type === "number")
      expect(member, name).toMatchObject({
        format: "decimal",
        description: expect.stringContaining("double"),
      });
  }
  const words = { type: "string", enum: ["AWAITING_DEPOSIT", "PROCESSING", "COMPLETED", "FAILED"] };
  expect(schemas.SellOrder?.properties?.status).toMatchObject({ anyOf: [words, { type: "string" }] });
});
