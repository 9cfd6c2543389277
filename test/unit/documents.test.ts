import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import packageJson from "../../package.json" with { type: "json" };
import { domainsOf, LAYERS } from "../support/fences.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { projectFiles, projectPath, projectText } from "../support/project.ts";

const folders = ["docs/**", "test/**", "client", "docs/examples/**", ".github/**"];
const documents = projectFiles(
  ["*.md", ...folders.map((folder) => `${folder}/*.md`)],
  ["**/node_modules/**"],
).toSorted((a, b) => (a < b ? -1 : 1));

const libFiles = projectFiles("lib/**/*.ts");
const domains = domainsOf(libFiles);

/** The parts of a document that are neither code nor a table of what a tool has printed. */
const proseOf = (markdown: string): string => markdown.replace(/^```.*?^```/gms, "");

const sectionOf = (file: string, title: string) =>
  sectionsOf(projectText(file)).find((section) => section.title === title);

/** A heading as GitHub makes an anchor of it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const anchorsOf = (markdown: string): string[] =>
  [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));

describe("every document", () => {
  test.each(documents)("%s links to files and headings that there are", (file) => {
    const links = [...proseOf(projectText(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, target]) => target ?? "",
    );
    const broken = links
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [linked = "", anchor] = target.split("#");
        const linkedFile = linked === "" ? file : path.posix.join(path.posix.dirname(file), linked);
        if (!existsSync(projectPath(linkedFile))) return true;
        return anchor !== undefined && !anchorsOf(projectText(linkedFile)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test.each(documents)("%s names files that there are", (file) => {
    const named = codeIn(proseOf(projectText(file))).filter((code) =>
      /^(?:lib|functions|infra|local|ops|bench|test|stages|client|examples|docs)\/[\w./-]*$/.test(code),
    );
    expect(named.filter((name) => !existsSync(projectPath(name)))).toEqual([]);
  });

  test.each(documents)("%s gives commands that package.json has", (file) => {
    const given = [...projectText(file).matchAll(/\bnpm run (?:--silent )?([a-z]+)/g)].map(
      ([, script]) => script ?? "",
    );
    expect(given.filter((script) => !Object.hasOwn(packageJson.scripts, script))).toEqual([]);
  });
});

test("docs/decisions has 22 records of 220 words at most: a new choice extends a record, or two are joined", () => {
  const records = documents.filter((file) => /^docs\/decisions\/\d/.test(file));
  expect(records.length).toBeLessThanOrEqual(22);
  const wordsOf = (file: string) =>
    projectText(file)
      .replace(/^[#|].*$/gm, "")
      .match(/\S+/g)?.length ?? 0;
  expect(records.filter((file) => wordsOf(file) > 220)).toEqual([]);
});

describe("README.md", () => {
  test("begins with npx once CHANGELOG.md tells of a release; no README says then that nothing is published", () => {
    const isReleased = /^## \d/m.test(projectText("CHANGELOG.md"));
    const [, first] = /^```sh\n(.*)$/m.exec(projectText("README.md")) ?? [];
    expect(first).toBe(isReleased ? "npx countinghouse" : "npm ci && npm start");
    for (const file of ["README.md", "publish/package/README.md"])
      expect([file, /not (?:published )?yet/.test(projectText(file))]).toEqual([file, !isReleased]);
  });

  test("lists every endpoint with the method, route, scheme and scope of its contract, and no other", () => {
    const rows = sectionOf("README.md", "The endpoints")?.tables[0] ?? [];
    const told = rows.map(({ endpoint, scheme, credential }) => ({
      route: codeIn(endpoint)[0],
      scheme,
      scope: /scope `([^`]+)`/.exec(credential ?? "")?.[1],
    }));
    const contracts = endpoints.map(({ contract: { method, route, scheme, scope } }) => ({
      route: `${method} ${route}`,
      scheme,
      scope,
    }));
    expect(told).toHaveLength(contracts.length);
    expect(told).toEqual(expect.arrayContaining(contracts));
  });
});

/** The parts of the project that list a package, by its name; the binaries of Node.js are one. */
const partsOf = Map.groupBy(
  [
    { part: "service", packages: packageJson.dependencies },
    { part: "all", packages: { ...packageJson.devDependencies, ...packageJson.optionalDependencies } },
    ...packageJson.workspaces.map((part) => ({
      part,
      packages: JSON.parse(projectText(`${part}/package.json`)).dependencies,
    })),
  ].flatMap(({ part, packages }) =>
    Object.keys(packages)
      .filter((name) => !name.startsWith("@types/"))
      .map((name) => ({ part, name: name.replace(/^node-(?:bin-)?(?:linux|darwin|win)-.*$/, "node-*") })),
  ),
  ({ name }) => name,
);

describe("CONTRIBUTING.md", () => {
  test("says of every library what it is for, and of none that is not there", () => {
    const rows = sectionOf("CONTRIBUTING.md", "Libraries, and why each is there")?.tables[0] ?? [];
    const told = rows.flatMap(({ library, "what for": reason }) => [...codeIn(library), ...codeIn(reason)]);
    expect([...partsOf.keys()].filter((name) => !told.includes(name))).toEqual([]);
    const named = rows.flatMap(({ library }) => codeIn(library));
    expect(named.filter((name) => name !== "mini" && !partsOf.has(name))).toEqual([]);
  });

  test("says which parts of the project each library is for", () => {
    const rows = sectionOf("CONTRIBUTING.md", "Libraries, and why each is there")?.tables[0] ?? [];
    const parts = rows.map(
      ({ library }) =>
        new Set(codeIn(library).flatMap((name) => partsOf.get(name)?.map(({ part }) => part) ?? [])),
    );
    expect(rows.map(({ part }) => part)).toEqual(parts.map((names) => [...names].toSorted().join(", ")));
  });

  test("has a layout that names every folder of lib and of the project", () => {
    const layout = /## Layout.*?```\n(.*?)```/s.exec(projectText("CONTRIBUTING.md"))?.[1] ?? "";
    const named = [...layout.matchAll(/(?<=^| {2})([a-z-]+)\/(?= )/gm)].map(([, folder]) => folder);
    const rooms = new Set(
      libFiles.flatMap((file) => (file.split("/").length > 2 ? [file.split("/")[1]] : [])),
    );
    for (const domain of domains) rooms.delete(domain);
    expect([...rooms].filter((room) => !named.includes(room))).toEqual([]);
    const missing = named.filter(
      (folder) =>
        folder &&
        !["", "lib", "local", "infra", "publish", "bench"].some((parent) =>
          existsSync(projectPath(`${parent}/${folder}`)),
        ),
    );
    expect(missing).toEqual([]);
  });
});

test("docs/operations.md names a stage in every command that works on a store, or it would work on the laptop's", () => {
  const blocks = projectText("docs/operations.md").match(/^```sh\n.*?^```/gms) ?? [];
  const given = blocks
    .flatMap((block) => block.split("\n"))
    .filter((line) => /^npm run .*ops -- /.test(line));
  expect(given.length).toBeGreaterThan(10);
  const ofPartners = /ops -- check-pass /;
  expect(given.filter((line) => !ofPartners.test(line) && !line.includes(" --stage prod"))).toEqual([]);
});

test("docs/architecture.md lists the layers of lib as the fence has them", () => {
  const part = /## Layers of lib(.*?)\n## /s.exec(projectText("docs/architecture.md"))?.[1] ?? "";
  const told = [...part.matchAll(/^\d+\. (.*)$/gm)].map(([, line]) => codeIn(line).toSorted());
  const held = LAYERS.map((rooms) =>
    rooms.length === 0 ? [] : rooms.map((room) => (room === "compose" ? "compose.ts" : room)),
  );
  expect(told).toEqual(held.map((rooms) => rooms.toSorted()));
});

test.each([
  ["transactions", "transaction"],
  ["sell-orders", "sell-order"],
  ["passes", "pass"],
  ["trades", "trade"],
])("%s have a file for each role that docs/architecture.md gives a domain", (domain, record) => {
  const rows = sectionOf("docs/architecture.md", "Layers of lib")?.tables[0] ?? [];
  const roles = rows.map(({ file }) => codeIn(file)[0] ?? "");
  expect(roles).toContain("<record>-rules.ts");
  const files = roles
    .filter((role) => role !== "<endpoint>.ts" && !(record === "pass" && role === "<record>-kinds.ts"))
    .map((role) => role.replace("<record>", record).replace("put-trade.", "put-trades."));
  expect(files.filter((file) => !libFiles.includes(`lib/${domain}/${file}`))).toEqual([]);
  const plans = endpoints.map(({ contract }) => `lib/${domain}/${contract.name}.ts`);
  expect(plans.some((file) => libFiles.includes(file))).toBe(true);
});
