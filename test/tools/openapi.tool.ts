import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";

const document = readFileSync(join(import.meta.dirname, "../../docs/api/openapi.json"), "utf8");

/** What Redocly's linter says of a document, by its strictest set of rules. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source, config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

describe("Redocly's linter", () => {
  test("finds nothing to say about the OpenAPI document", async () => {
    expect(await lint(document)).toEqual([]);
  });

  test("finds a document that breaks a rule", async () => {
    const broken = document.replace('"operationId": "getTransaction"', '"operationId": "listTransactions"');
    expect(broken).not.toBe(document);
    expect(await lint(broken)).not.toEqual([]);
  });
});
