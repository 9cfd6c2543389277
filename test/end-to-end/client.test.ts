import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import clientPackage from "../../client/package.json" with { type: "json" };
import { type BuiltClient, buildClient } from "../support/built-client.ts";
import { type Ended, endOf } from "../support/child-program.ts";
import { plainStore } from "../support/engine.ts";
import { importsOf } from "../support/fences.ts";
import { projectPath, projectText } from "../support/project.ts";
import { startTestService, type TestService } from "../support/service.ts";

const readme = projectText("client/README.md");
/** The README's programs: the one that makes the client, and those that use it. */
const [setup, ...uses] = [...readme.matchAll(/^```ts(?: setup)?\n(.*?)^```/gms)].map(([, code = ""]) => code);

/** Runs a program of a project by plain Node.js. */
function run(project: string, program: string, code: string): Promise<Ended> {
  writeFileSync(path.join(project, program), code);
  return endOf(spawn(process.execPath, [program], { cwd: project, stdio: ["ignore", "pipe", "pipe"] }));
}

describe("the package", () => {
  let built: BuiltClient;
  let service: TestService;
  beforeAll(async () => {
    built = await buildClient();
    service = await startTestService(plainStore);
    const { project } = built;
    mkdirSync(path.join(project, ".countinghouse"));
    writeFileSync(path.join(project, ".countinghouse/demo.json"), JSON.stringify(service.demo));
    writeFileSync(path.join(project, "package.json"), '{"type":"module"}');
  });
  afterAll(() => service.close());

  test.each(uses.map((code) => [/^.*client\.(\w+\.\w+)/m.exec(code)?.[1] ?? "", code]))(
    "runs the program of its README with %s",
    async (name, code) => {
      expect(name).not.toBe("");
      const { output, ...end } = await run(built.project, "program.mjs", `${setup}\n${code}`);
      expect(end).toEqual({ errors: "", code: 0 });
      expect(output).not.toBe("");
    },
  );

  test("type-checks the programs of its README, as a strict project reads its types", async () => {
    const { project } = built;
    symlinkSync(projectPath("node_modules/@types"), path.join(project, "node_modules/@types"));
    for (const [at, code] of uses.entries())
      writeFileSync(path.join(project, `program-${at}.ts`), `${setup}\n${code}`);
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--types", "node"];
    const programs = uses.map((_, at) => `program-${at}.ts`);
    const tsc = projectPath("node_modules/typescript/bin/tsc");
    const words = [tsc, ...strict, "--lib", "es2023,dom", ...programs];
    const checked = await endOf(spawn(process.execPath, words, { cwd: project }));
    expect(checked).toEqual({ output: "", errors: "", code: 0 });
  });

  test("exports what its source exports, and names files that it has", async () => {
    const list = 'console.log(JSON.stringify(Object.keys(await import("@countinghouse/client"))));';
    const { output } = await run(built.project, "list.mjs", list);
    expect(JSON.parse(output)).toEqual([
      "Countinghouse",
      "CountinghouseError",
      "TransactionFollow",
      "isExact",
      "toNumber",
    ]);
    const { types, default: main } = clientPackage.exports["."];
    const files = globSync("*", { cwd: built.dist }).map((file) => `./dist/${file}`);
    expect(files).toEqual(expect.arrayContaining([types, main]));
    // A project whose resolution is older than `exports`, as with `"module": "commonjs"` in TypeScript 5.
    expect([clientPackage.types, clientPackage.main]).toEqual([types, main]);
  });

  test("is loaded by require(), too", async () => {
    const program = 'console.log(require("@countinghouse/client").toNumber("33.80"));';
    expect(await run(built.project, "program.cjs", program)).toEqual({
      output: "33.8\n",
      errors: "",
      code: 0,
    });
  });

  test("imports nothing of Node.js, and only the packages that it names", () => {
    const imported = globSync("*.js", { cwd: built.dist }).flatMap((file) =>
      importsOf(file, readFileSync(path.join(built.dist, file), "utf8")),
    );
    const packages = new Set(imported.filter((module) => !/^[a-z0-9-]+\.js$/.test(module)));
    expect([...packages].toSorted()).toEqual(["@noble/ed25519", "@noble/hashes/sha2.js"]);
    const names = [...packages].map((module) => module.split("/").slice(0, 2).join("/"));
    expect(names.toSorted()).toEqual(Object.keys(clientPackage.dependencies));
  });

  test("has the licence and the version of the project", () => {
    expect(projectText("client/LICENSE")).toBe(projectText("LICENSE"));
    expect(clientPackage.version).toBe(JSON.parse(projectText("package.json")).version);
  });
});
