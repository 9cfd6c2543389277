import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programOf, runProgram } from "../support/embedding-programs.ts";
import { type InstalledPackage, installPackage } from "../support/installed-package.ts";

const JEST = join(import.meta.dirname, "node_modules/jest/bin/jest.js");

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

test("Jest runs three worlds in one file, with its own globals and fake timers", async () => {
  const name = "orders.jest.test.js";
  writeFileSync(join(installed.folder, "jest.config.json"), JSON.stringify({ testEnvironment: "node" }));
  // Jest reports on standard error.
  const line = `node '${JEST}' ${name}`;
  const { errors, code } = await runProgram(installed, name, programOf("jest.js"), { line });
  expect(code, errors).toBe(0);
  expect(errors).toContain("3 passed, 3 total");
  expect(errors).not.toContain("did not exit");
});
