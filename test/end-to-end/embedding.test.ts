import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programOf, runProgram, shortestProgram } from "../support/embedding-programs.ts";
import { type InstalledPackage, installPackage, nodes } from "../support/installed-package.ts";
import { projectPath } from "../support/project.ts";

const VITEST = projectPath("node_modules/vitest/vitest.mjs");

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

describe("the programs of docs/embedding.md, with the package from its tarball", () => {
  describe.each(nodes)("the shortest one, on $name, with a report of its coverage,", ({ path }) => {
    let ran: Awaited<ReturnType<typeof runProgram>>;
    const inFolder = (name: string): string => join(installed.folder, name);
    beforeAll(async () => {
      for (const name of ["empty", "coverage"]) rmSync(inFolder(name), { recursive: true, force: true });
      const line =
        "mkdir empty && TMPDIR=$PWD/empty HOME=$PWD/empty NODE_V8_COVERAGE=coverage node shortest.mjs";
      ran = await runProgram(installed, "shortest.mjs", shortestProgram(), { line, node: path });
    });

    test("prints its answer, and nothing else", () => {
      expect(ran).toEqual({ output: "200 COMPLETED\n", errors: "", code: 0 });
    });

    test("writes nothing to the disk", () => {
      expect(readdirSync(inFolder("empty"))).toEqual([]);
    });

    test("has the program's own code in the report, and not the house's", () => {
      const files = readdirSync(inFolder("coverage"));
      const reports = files.map((file) => readFileSync(join(inFolder("coverage"), file), "utf8"));
      expect(reports.filter((report) => report.includes("shortest.mjs"))).toHaveLength(1);
      expect(reports.filter((report) => report.includes("house-worker.mjs"))).toEqual([]);
    });
  });

  test("Vitest runs three worlds side by side in one file", async () => {
    const name = "orders.vitest.test.js";
    const line = `node '${VITEST}' run ${name}`;
    const { output, errors, code } = await runProgram(installed, name, programOf("vitest.js"), { line });
    expect({ errors, code }, output).toEqual({ errors: "", code: 0 });
    expect(output).toContain("3 passed");
  });

  test.each(nodes)("node:test runs three worlds side by side in one file, on $name", async ({ path }) => {
    const line = "node --test --test-reporter=tap orders.test.mjs";
    const program = programOf("node-test.js");
    const { output, errors, code } = await runProgram(installed, "orders.test.mjs", program, {
      line,
      node: path,
    });
    expect({ errors, code }, output).toEqual({ errors: "", code: 0 });
    expect(output).toMatch(/^# pass 3$/m);
  });
});

describe("a house that nobody closes", () => {
  test("does not keep its process from ending, and is silent", async () => {
    const program = `import { startCountinghouse } from "countinghouse";
const house = await startCountinghouse();
const world = await house.world("other");
for (const { baseUrl, credentials } of [house, world])
  await (await fetch(baseUrl + "/sell-orders/" + credentials.ramp.orderId)).text();
`;
    expect(await runProgram(installed, "forgetful.mjs", program)).toEqual({
      output: "",
      errors: "",
      code: 0,
    });
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
    expect(await runProgram(installed, "closed.mjs", program)).toEqual({
      output: "true\n0 refused\n",
      errors: "",
      code: 0,
    });
  });
});
