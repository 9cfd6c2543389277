import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import type { DemoFile } from "../../local/demo/demo-file.ts";
import { buildPackage } from "../../publish/package/pack.ts";
import { HTTP_IMPORT } from "../support/build-bundle.ts";
import { buildClient } from "../support/built-client.ts";
import type { Started } from "../support/child-program.ts";
import { type InstalledPackage, installPackage, nodes } from "../support/installed-package.ts";
import { projectPath } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";

const INSTALLED_BYTES_MAX = 20e6;
const PROGRAM = "npx countinghouse";
/** What npx starts, without the second that npx takes. */
const BINARY = "node_modules/.bin/countinghouse";

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed.remove());

const inPackage = (path: string): string => join(installed.folder, "node_modules/countinghouse", path);
const run = (line: string, node = process.execPath) => installed.shell(line, node);

describe("the packed package", () => {
  test("installs without a network, and brings nothing else with it", () => {
    expect(installed.installation).toMatchObject({ code: 0, errors: "" });
    expect(
      readdirSync(join(installed.folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual(["countinghouse"]);
  });

  test("stays well below 20 MB, and has neither the CDK nor a compiler in it", () => {
    expect(installed.installedBytes).toBeLessThan(INSTALLED_BYTES_MAX);
    const libraries = readFileSync(inPackage("THIRD-PARTY-LICENSES.txt"), "utf8");
    expect(libraries).toMatch(/^dynalite \d/m);
    expect(libraries).not.toMatch(/^(?:@?aws-cdk\S*|constructs|esbuild|typescript|vite|vitest) \d/m);
  });

  test("makes no program or thread load the HTTP that only a WebSocket needs", () => {
    const code = readdirSync(inPackage("code")).filter((name) => name.endsWith(".mjs"));
    expect(code.length).toBeGreaterThan(0);
    expect(code.filter((name) => HTTP_IMPORT.test(readFileSync(inPackage(`code/${name}`), "utf8")))).toEqual(
      [],
    );
  });

  test("is one that bundlers and Node.js find no fault with", async () => {
    const { messages } = await publint({ pkgDir: installed.directory, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  test("names the licence of every library that is in it", () => {
    const libraries = readFileSync(inPackage("THIRD-PARTY-LICENSES.txt"), "utf8");
    expect(libraries).not.toContain("(no licence named)");
  });

  test("lists every library of its code and its page for programs, each once, with its version and licence", () => {
    const { components } = JSON.parse(readFileSync(inPackage("sbom.cdx.json"), "utf8"));
    const ofCode = readFileSync(inPackage("THIRD-PARTY-LICENSES.txt"), "utf8").matchAll(
      /(?:^\n|^-{80}\n\n)(\S+) (\d\S+) \((.*)\)$/gm,
    );
    const ofPage = readFileSync(inPackage("page/licenses.md"), "utf8").matchAll(
      /^## (\S+) - (\S+) \((.*)\)$/gm,
    );
    const libraries = [...ofCode, ...ofPage].map(([, ...part]) => part.join(" "));
    const listed = components.map(
      ({ name, version, licenses }: { name: string; version: string; licenses: [{ expression: string }] }) =>
        [name, version, licenses[0].expression].join(" "),
    );
    expect(libraries.length).toBeGreaterThan(90);
    expect(listed.toSorted()).toEqual([...new Set(libraries)].sort());
  });

  test("is the same again, byte for byte, from another folder at another time", async () => {
    const { tarball } = await buildPackage(scratchDirectory(), () => {});
    expect(readFileSync(tarball).equals(readFileSync(installed.tarball))).toBe(true);
  }, 60_000);

  test.each([
    ["it", "countinghouse", "code/cli.mjs", () => installed.tarball],
    ["the client", "@countinghouse/client", "dist/index.js", async () => dirname((await buildClient()).dist)],
  ])("npm would publish %s for everybody", async (_, name, file, made) => {
    const options = "--access public --dry-run --ignore-scripts";
    expect(await run(`npm publish '${await made()}' ${options}`)).toEqual({
      output: expect.stringMatching(`^\\+ ${name}@\\d+\\.\\d+\\.\\d+\n$`),
      errors: expect.stringMatching(` ${file}\n(?:.*\n)+.* public access `),
      code: 0,
    });
  });

  test("has no document with a link that leads nowhere", () => {
    const documents = readdirSync(inPackage("."), { recursive: true, encoding: "utf8" }).filter((path) =>
      /^(?:README|docs\/.*)\.md$/.test(path),
    );
    expect(documents.length).toBeGreaterThan(10);
    const dead = documents.flatMap((path) => {
      const links = readFileSync(inPackage(path), "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g);
      return [...links].filter(([, target = ""]) => !existsSync(join(inPackage(path), "..", target)));
    });
    expect(dead).toEqual([]);
  });

  test("says its version and its help", async () => {
    const { version } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
    expect(await run(`${BINARY} --version`)).toEqual({
      output: `countinghouse ${version}\n`,
      errors: "",
      code: 0,
    });
    expect((await run(`${BINARY} --help`)).output).toMatch(/^Usage: npx countinghouse \[options\]\n/);
  });

  test("says which commands there are, among them those that its README names", async () => {
    const { output } = await run(`${BINARY} help`);
    expect(output).toMatch(/^Usage: npx countinghouse \[options\] \[command\]\n/);
    const names = [...output.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
    const readme = readFileSync(inPackage("README.md"), "utf8");
    const named = [...readme.matchAll(/npx countinghouse ([a-z][a-z-]*)/g)].map(([, name]) => name);
    expect(named).toContain("check-pass");
    expect(names).toEqual(expect.arrayContaining(named));
  });

  test.each([
    ["a command that there is not", "nonsense", 2, /unknown command 'nonsense'/],
    ["an option that there is not", "--nonsense", 2, /unknown option '--nonsense'/],
    ["the SDK as it is published", "--port 0 --tls-port 0 --stock-sdk", 2, /clone of the project/],
  ])("refuses %s with a sentence", async (_, words, code, sentence) => {
    const ran = await run(`${BINARY} ${words} --data refused`);
    expect(ran).toMatchObject({ code, errors: expect.stringMatching(sentence) });
    expect(ran.errors).not.toContain("    at ");
  });

  test.each(["18.20.0", "22.14.0"])("tells a user of Node.js %s which one it needs", (version) => {
    const versions = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
    const claim = `data:text/javascript,${encodeURIComponent(versions)}`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", claim, inPackage("code/cli.mjs"), "--version"],
      { encoding: "utf8" },
    );
    expect([status, stdout]).toEqual([2, ""]);
    const sentence = new RegExp(
      `^countinghouse needs Node.js 22.15 or later, and this is ${version}\\..*\n$`,
    );
    expect(stderr).toMatch(sentence);
    const start = "startCountinghouse().catch(({ message }) => console.error(message))";
    for (const [kind, load] of [
      ["module", 'import { startCountinghouse } from "countinghouse";'],
      ["commonjs", 'const { startCountinghouse } = require("countinghouse");'],
    ]) {
      const embedded = spawnSync(
        process.execPath,
        ["--import", claim, `--input-type=${kind}`, "--eval", `${load} ${start}`],
        { cwd: installed.folder, encoding: "utf8" },
      );
      expect(embedded).toMatchObject({ status: 0, stderr: expect.stringMatching(sentence) });
    }
  });
});

describe.each(nodes)("served by $name", ({ path: node }) => {
  let service: Started;
  let printed: string;
  let demo: DemoFile;
  const here = (line: string) => installed.shell(line, node);

  beforeAll(async () => {
    service = installed.start(`${PROGRAM} --port 0 --tls-port 0 --base-path /api`, node);
    printed = await service.said("Ctrl-C stops it.");
    demo = JSON.parse(readFileSync(join(installed.folder, ".countinghouse/demo.json"), "utf8"));
  });
  afterAll(async () => {
    await service.interrupt();
    rmSync(join(installed.folder, ".countinghouse"), { recursive: true });
  });

  test("every curl line of the command that it names works when pasted", async () => {
    const [, command = ""] = /: (npx countinghouse demo curl)$/m.exec(printed) ?? [];
    const { output: listed } = await here(command);
    const lines = listed.split("\n").filter((line) => line.startsWith("curl "));
    expect(lines).toHaveLength(endpoints.length + 2);
    for (const line of lines) {
      const { output, errors, code } = await here(`${line} -w '\\n%{http_code}'`);
      expect({ errors, code, status: output.split("\n").at(-1) }).toEqual({
        errors: "",
        code: 0,
        status: "200",
      });
    }
  });

  test("an answer is under the base path, and has its digits", async () => {
    expect(demo.baseUrl).toMatch(/\/api$/);
    const order = `${demo.baseUrl}/sell-orders/${demo.ramp.orderId}`;
    const answer = await fetch(order, { headers: { "x-api-key": demo.ramp.apiKey } });
    expect(await answer.text()).toMatch(/"amount":\d+\.\d{15,}/);
  });

  test("a browser gets the page at once, and every file that the page names", async () => {
    const { origin } = new URL(demo.baseUrl);
    const page = await fetch(`${origin}/`, { headers: { accept: "text/html" } });
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(await fetch(`${origin}${file}`)).toMatchObject({ status: 200 });
  });

  test("what it prints names commands and documents that are there", async () => {
    const about = await here(`${BINARY} --about`);
    expect(about).toMatchObject({ code: 0, output: expect.stringContaining(demo.baseUrl) });
    const said = `${printed}\n${about.output}`;
    expect(said).not.toMatch(/npm (?:start|run)/);
    const documents = [...said.matchAll(/\S*docs\/[a-z-]+\.md/g)].map(([name]) => name.replace("(", ""));
    expect(documents.length).toBeGreaterThan(1);
    for (const document of documents)
      expect(readFileSync(join(installed.folder, document), "utf8")).toMatch(/^# /);
  });

  test("the operator's commands work on it", async () => {
    const record = `{"id":"imported","type":"fee","state":"pending","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","legs":[{"leg_id":"leg-1","amount":-0.10,"currency":"GBP","account_id":"account-1"}]}`;
    writeFileSync(join(installed.folder, "record.ndjson"), `${record}\n`);
    const imported = await here(`${BINARY} import transactions --business ${demo.business.id} record.ndjson`);
    expect(imported).toMatchObject({ code: 0 });
    const headers = { authorization: `Bearer ${demo.business.token}` };
    expect(await (await fetch(`${demo.baseUrl}/transaction/imported`, { headers })).text()).toBe(record);
    const file = join(mkdtempSync(join(installed.folder, "download-")), "trades.parquet");
    const downloaded = await here(
      `${BINARY} get trades BTC-USD --from 1d --format parquet --output '${file}'`,
    );
    expect(downloaded).toMatchObject({ code: 0 });
    expect(readFileSync(file).subarray(0, 4).toString()).toBe("PAR1");
    expect(await here(`${BINARY} demo fault get-sell-order 503 --times 1`)).toMatchObject({ code: 0 });
    const order = `${demo.baseUrl}/sell-orders/${demo.ramp.orderId}`;
    const failed = await fetch(order, { headers: { "x-api-key": demo.ramp.apiKey } });
    expect(failed.status).toBe(503);
    const explained = await here(`${BINARY} explain ${failed.headers.get("apigw-requestid")}`);
    expect(explained).toMatchObject({ code: 0, output: expect.stringContaining("503") });
  });

  test("a partner's endpoint is checked by the line that is printed for it, and its pass is got", async () => {
    const partner = installed.start(`${PROGRAM} demo partner`, node);
    const announced = await partner.said("Ctrl-C stops it");
    const [check = ""] = /npx countinghouse check-pass (?:.*\\\n)*.*/.exec(announced) ?? [];
    const checked = await here(check);
    expect(checked.errors).toBe("");
    expect(checked).toMatchObject({ code: 0, output: expect.stringMatching(/ pass, 0 warn, 0 fail, /) });
    const [, url, token] = /check-pass (\S+) .*?--token-file '([^']*)'/s.exec(check) ?? [];
    const [, reference] = /--reference (\S+)/.exec(check) ?? [];
    const got = await here(`${BINARY} get pass ${reference} --url ${url} --token-file '${token}'`);
    expect(got).toMatchObject({ code: 0, output: expect.stringContaining(`"${reference}"`) });
    // A program that started npx ends the partner with it.
    expect(await partner.terminate()).toMatchObject({ errors: "" });
  });

  test("ends with Ctrl-C, after the requests in flight, and has complained of nothing", async () => {
    const { output, errors } = await service.interrupt();
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/^Finishing the requests in flight/);
    expect(errors).toBe("");
  });
});

test.each(nodes)(
  "opens worlds over HTTP on $name, says how, and ends with Ctrl-C",
  async ({ path: node }) => {
    const { output: help } = await run(`${BINARY} --worlds --help`, node);
    expect(help).toMatch(/^Usage: npx countinghouse --worlds \[options\]\n/);
    expect(help).not.toMatch(/npm (?:start|run)/);
    const served = installed.start(`${BINARY} --worlds --port 0`, node);
    const [, line = ""] = /^ {2}(curl .*)$/m.exec(await served.said("Ctrl-C stops it.")) ?? [];
    const { baseUrl, credentials } = JSON.parse((await run(line, node)).output);
    const headers = { "x-api-key": credentials.ramp.apiKey };
    expect(await fetch(`${baseUrl}/sell-orders/${credentials.ramp.orderId}`, { headers })).toMatchObject({
      status: 200,
    });
    const { output, errors } = await served.interrupt();
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/^Ending the worlds/);
    expect(errors).toBe("");
  },
);

test("its types need no other package's and no setting, in a module of either kind", async () => {
  const program = `import { type Countinghouse, startCountinghouse } from "countinghouse";
export const address = async (): Promise<string> => {
  const house: Countinghouse = await startCountinghouse({ seed: "a" });
  return house.baseUrl + house.credentials.ramp.orderId;
};
// @ts-expect-error There is no such setting.
void startCountinghouse({ port: 3000 });
`;
  for (const kind of ["mts", "cts"]) writeFileSync(join(installed.folder, `program.${kind}`), program);
  const options = "--ignoreConfig --noEmit --strict --module nodenext --target es2022 --types ''";
  const ran = await run(`'${projectPath("node_modules/.bin/tsc")}' ${options} program.mts program.cts`);
  expect(ran).toEqual({ output: "", errors: "", code: 0 });
});
