import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTypes, { astToString } from "openapi-typescript";
import { describe, expect, test } from "vitest";
import { scratchDirectory } from "../support/scratch.ts";

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

const TYPESCRIPT = join(import.meta.dirname, "node_modules/typescript/bin/tsc");
const OPTIONS = [
  ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--pretty", "false"],
  ["--target", "es2022", "--module", "esnext"],
].flat();

/** The errors that TypeScript 5 finds in a source file. */
async function errorsIn(source: string): Promise<string[]> {
  // A folder without packages, whose types the compiler would take along.
  const cwd = scratchDirectory();
  writeFileSync(join(cwd, "client.ts"), source);
  const command = [TYPESCRIPT, ...OPTIONS, "client.ts"];
  const output = await promisify(execFile)(process.execPath, command, { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  return output.split("\n").filter((line) => line !== "");
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
    expect(await errorsIn(types + clientThatReads("status"))).toEqual([]);
    expect(await errorsIn(types + clientThatReads("state"))).toEqual([
      expect.stringContaining("Property 'state' does not exist"),
    ]);
  });
});
