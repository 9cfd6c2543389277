import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
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

const FILE = "client.ts";
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  exactOptionalPropertyTypes: true,
  types: [],
};

/** The errors that the TypeScript of this folder finds in one source file. */
function errorsIn(source: string): string[] {
  const host = ts.createCompilerHost(options);
  const readLibrary = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, ...rest) =>
    name === FILE ? ts.createSourceFile(name, source, version) : readLibrary(name, version, ...rest);
  const program = ts.createProgram({ rootNames: [FILE], options, host });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** A client that reads a field of an order and the cursor of a page of trades. */
const clientThatReads = (member: string) => `
type Answer = paths["/sell-orders/{order_id}"]["get"]["responses"]["200"]["content"]["application/json"];
declare const order: Answer;
export const status: components["schemas"]["SellOrder"]["status"] = order.${member};
type Page = paths["/1.0/trades/all/{symbol}"]["get"]["responses"]["200"]["content"]["application/json"];
declare const page: Page;
export const cursor: string | undefined = page.metadata.next_cursor;
`;

describe("openapi-typescript", () => {
  test("makes types with which a client compiles, and refuses a field that there is not", async () => {
    const types = astToString(await openapiTypes(document));
    expect(errorsIn(types + clientThatReads("status"))).toEqual([]);
    expect(errorsIn(types + clientThatReads("state"))).toEqual([
      expect.stringContaining("Property 'state' does not exist"),
    ]);
  });
});
