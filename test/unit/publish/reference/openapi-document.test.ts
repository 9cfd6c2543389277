import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";

const text = readFileSync(join(import.meta.dirname, "../../../../docs/api/openapi.json"), "utf8");

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
