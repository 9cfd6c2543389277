import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstalledPackage, installPackage, nodes } from "../support/installed-package.ts";

const root = resolve(import.meta.dirname, "../..");
const document = readFileSync(join(root, "docs/embedding.md"), "utf8");
/** The programs of the document: the first has no name, the others are test files. */
const programs = new Map(
  [...document.matchAll(/^```js ?(\S*)\n(.*?)^```/gms)].map(([, name = "", code = ""]) => [name, code]),
);
const runner = (path: string): string => `node '${join(root, "node_modules", path)}'`;
const [newest = { name: "", path: process.execPath }] = nodes;

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

/** Writes a program into the project that has the package, and runs a line there. */
function run(name: string, code: string, line = `node ${name}`, node = newest.path) {
  writeFileSync(join(installed.folder, name), code);
  return installed.shell(`CI=true ${line}`, node);
}
const programOf = (name: string): string => programs.get(name) ?? "";

describe("the programs of docs/embedding.md, with the package from its tarball", () => {
  test.each(nodes)("the shortest one prints its answer on $name, and nothing else", async ({ path }) => {
    const ran = await run("shortest.mjs", programOf(""), "node shortest.mjs", path);
    expect(ran).toEqual({ output: "200 COMPLETED\n", errors: "", code: 0 });
  });

  test("Vitest runs three worlds side by side in one file", async () => {
    const name = "orders.vitest.test.js";
    const line = `${runner("vitest/vitest.mjs")} run ${name}`;
    const { output, errors, code } = await run(name, programOf(name), line);
    expect({ errors, code }, output).toEqual({ errors: "", code: 0 });
    expect(output).toContain("3 passed");
  });

  test("Jest runs three worlds in one file, with its own globals and fake timers", async () => {
    const name = "orders.jest.test.js";
    writeFileSync(join(installed.folder, "jest.config.json"), JSON.stringify({ testEnvironment: "node" }));
    // Jest reports on standard error.
    const { errors, code } = await run(name, programOf(name), `${runner("jest/bin/jest.js")} ${name}`);
    expect(code, errors).toBe(0);
    expect(errors).toContain("3 passed, 3 total");
    expect(errors).not.toContain("did not exit");
  });

  test.each(nodes)("node:test runs three worlds side by side in one file, on $name", async ({ path }) => {
    const line = "node --test --test-reporter=tap orders.test.mjs";
    const { output, errors, code } = await run(
      "orders.test.mjs",
      programOf("orders.node.test.js"),
      line,
      path,
    );
    expect({ errors, code }, output).toEqual({ errors: "", code: 0 });
    expect(output).toMatch(/^# pass 3$/m);
  });
});

test("a house of the package writes nothing to the disk", async () => {
  const line = "mkdir -p empty && TMPDIR=$PWD/empty HOME=$PWD/empty node shortest.mjs";
  expect((await run("shortest.mjs", programOf(""), line)).code).toBe(0);
  expect(readdirSync(join(installed.folder, "empty"))).toEqual([]);
});

describe("a house that nobody closes", () => {
  test("does not keep its process from ending, and is silent", async () => {
    const program = `import { startCountinghouse } from "countinghouse";
const house = await startCountinghouse();
const world = await house.world("other");
for (const { baseUrl, credentials } of [house, world])
  await (await fetch(baseUrl + "/sell-orders/" + credentials.ramp.orderId)).text();
`;
    expect(await run("forgetful.mjs", program)).toEqual({ output: "", errors: "", code: 0 });
  });
});

describe("a report of a test's coverage", () => {
  test("is about the test's own code, and not about the service", async () => {
    const line = "NODE_V8_COVERAGE=coverage node shortest.mjs";
    expect((await run("shortest.mjs", programOf(""), line)).code).toBe(0);
    const folder = join(installed.folder, "coverage");
    const reports = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    expect(reports.filter((report) => report.includes("shortest.mjs"))).toHaveLength(1);
    expect(reports.filter((report) => report.includes("house-worker.mjs"))).toEqual([]);
  });
});

describe("a house that is closed", () => {
  test("leaves no thread and no port", async () => {
    const program = `import { startCountinghouse } from "countinghouse";
const threads = () => process.report.getReport().workers.length;
const house = await startCountinghouse();
const world = await house.world("other");
const { baseUrl, credentials } = world;
await (await fetch(baseUrl + "/sell-orders/" + credentials.ramp.orderId)).text();
console.log(threads() > 0);
await house.close();
console.log(threads(), await fetch(baseUrl).then(() => "answered", () => "refused"));
`;
    expect(await run("closed.mjs", program)).toEqual({ output: "true\n0 refused\n", errors: "", code: 0 });
  });
});
