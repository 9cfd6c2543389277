import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { installEmbedding } from "../support/embedded-package.ts";
import { scratchDirectory } from "../support/scratch.ts";

const root = resolve(import.meta.dirname, "../..");
const document = readFileSync(join(root, "docs/embedding.md"), "utf8");
/** The programs of the document: the first has no name, the others are test files. */
const programs = new Map(
  [...document.matchAll(/^```js ?(\S*)\n(.*?)^```/gms)].map(([, name = "", code = ""]) => [name, code]),
);
const inRoot = (path: string): string => join(root, "node_modules", path);

let project: string;
beforeAll(async () => {
  project = scratchDirectory();
  await installEmbedding(project);
  for (const [name, code] of programs) writeFileSync(join(project, name || "shortest.mjs"), code);
});

/** Runs a program of Node.js in the project. */
async function run(...words: readonly string[]) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, words, { cwd: project, env: { PATH, CI: "true", NO_COLOR: "1" } });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { output, errors, status };
}

describe("the programs of docs/embedding.md", () => {
  test("the shortest one prints its answer, and nothing else", async () => {
    const { output, errors, status } = await run("shortest.mjs");
    expect({ output, errors, status }).toEqual({ output: "200 COMPLETED\n", errors: "", status: 0 });
  });

  test("Vitest runs three worlds side by side in one file", async () => {
    const { output, errors, status } = await run(inRoot("vitest/vitest.mjs"), "run", "orders.vitest.test.js");
    expect({ errors, status }, output).toEqual({ errors: "", status: 0 });
    expect(output).toContain("3 passed");
  });

  test("Jest runs three worlds in one file, with its own globals and fake timers", async () => {
    writeFileSync(join(project, "jest.config.json"), JSON.stringify({ testEnvironment: "node" }));
    const { errors, status } = await run(inRoot("jest/bin/jest.js"), "orders.jest.test.js");
    // Jest reports on standard error.
    expect(status, errors).toBe(0);
    expect(errors).toContain("3 passed, 3 total");
    expect(errors).not.toContain("did not exit");
  });

  test("node:test runs three worlds side by side in one file", async () => {
    writeFileSync(join(project, "orders.node.test.mjs"), programs.get("orders.node.test.js") ?? "");
    const { output, errors, status } = await run("--test", "--test-reporter=tap", "orders.node.test.mjs");
    expect({ errors, status }, output).toEqual({ errors: "", status: 0 });
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
    writeFileSync(join(project, "forgetful.mjs"), program);
    expect(await run("forgetful.mjs")).toEqual({ output: "", errors: "", status: 0 });
  });

  test("leaves no thread, port or other handle once it is closed", async () => {
    const program = `import { startCountinghouse } from "countinghouse";
const before = process.getActiveResourcesInfo().length;
const house = await startCountinghouse();
const world = await house.world("other");
await fetch(world.baseUrl).then((answer) => answer.text()).catch(() => {});
await house.close();
const refused = await fetch(world.baseUrl).then(() => "answered", () => "refused");
console.log(refused, process.getActiveResourcesInfo().filter((kind) => kind === "Worker" || kind === "MessagePort").length);
`;
    writeFileSync(join(project, "closed.mjs"), program);
    expect(await run("closed.mjs")).toEqual({ output: "refused 0\n", errors: "", status: 0 });
  });
});
