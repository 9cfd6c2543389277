import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { createGateway } from "../../local/gateway/gateway.ts";
import { ENVIRONMENTS_MAX } from "../../local/runtime/function-pool.ts";
import { startPools } from "../../local/runtime/function-pools.ts";
import { type SynthesisOptions, synthesize } from "../../local/template/synthesis.ts";
import { readApplication } from "../../local/template/template.ts";
import { apiResources, writeAssembly } from "../support/assembly.ts";
import { startRendezvous } from "../support/rendezvous.ts";
import { scratchDirectory } from "../support/scratch.ts";

/** An app that fails when its source says so, and else copies the assembly that lies beside it, quotes its stage, and removes a file that it is told to. */
const APP = `
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
if (readFileSync("lib/source.ts", "utf8") === "broken") { console.error("lib/source.ts is broken"); process.exit(1); }
const { CDK_OUTDIR, STAGE_FILE, SYNTH_FOR } = process.env;
cpSync("prepared", CDK_OUTDIR, { recursive: true });
writeFileSync(CDK_OUTDIR + "/seen.json", JSON.stringify({ stage: JSON.parse(readFileSync(STAGE_FILE, "utf8")), SYNTH_FOR }));
if (existsSync("removed")) rmSync(CDK_OUTDIR + "/" + readFileSync("removed", "utf8"), { recursive: true });`;

/** A project with an app, and a data directory to start it in. */
function newProject(code = "export const hello = async () => 'hello';"): SynthesisOptions & {
  readonly said: string[];
} {
  const projectRoot = scratchDirectory();
  for (const folder of ["infra/local", "lib", "functions", "node_modules"])
    mkdirSync(join(projectRoot, folder), { recursive: true });
  writeFileSync(join(projectRoot, "infra/app.ts"), APP);
  writeFileSync(join(projectRoot, "lib/source.ts"), "one");
  // A request waits for others here, on a busy machine for longer than Lambda's default.
  const hello = {
    routeKey: "GET /hello",
    function: { Timeout: 60 },
    integration: { TimeoutInMillis: 60_000 },
  };
  const Resources = apiResources({ hello });
  cpSync(
    writeAssembly({ stacks: { api: { Resources } }, code: { "index.mjs": code } }),
    join(projectRoot, "prepared"),
    { recursive: true },
  );
  const said: string[] = [];
  return {
    projectRoot,
    dataDir: scratchDirectory(),
    cacheDirectory: join(projectRoot, "node_modules/.cache/countinghouse"),
    stage: { name: "local" },
    environment: {},
    clock: systemClock,
    report: (line) => said.push(line),
    said,
  };
}

/** A start of the same project in another data directory. */
const elsewhere = <Options extends SynthesisOptions>(
  project: Options,
  changes: Partial<Options> = {},
): Options => ({
  ...project,
  dataDir: scratchDirectory(),
  ...changes,
});
const cached = ({ cacheDirectory }: SynthesisOptions): string[] => readdirSync(cacheDirectory);
/** The one assembly that the cache has. */
const onlyCached = (project: SynthesisOptions): string => {
  const [name = ""] = cached(project);
  return join(project.cacheDirectory, name);
};
/** Every file under a directory, from it on. */
const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .sort();

describe("a synthesis", () => {
  it("of unchanged sources and settings is made once, for every data directory", async () => {
    const project = newProject();
    const first = await synthesize(project);
    expect(JSON.parse(readFileSync(join(first, "seen.json"), "utf8"))).toEqual({
      stage: { name: "local" },
      SYNTH_FOR: "serving",
    });
    expect(await synthesize(project)).toBe(first);
    const other = await synthesize(elsewhere(project));
    expect(filesOf(other)).toEqual(filesOf(first));
    expect(project.said).toHaveLength(1);
  });

  it("is kept in the data directory too, whatever becomes of the installed packages", async () => {
    const project = newProject();
    const first = await synthesize(project);
    rmSync(join(project.projectRoot, "node_modules"), { recursive: true });
    expect(await synthesize(project)).toBe(first);
    expect(project.said).toHaveLength(1);
  });

  describe("that was made before", () => {
    const project = newProject();
    let before: string;
    let saidBefore: number;
    beforeEach(async () => {
      before = await synthesize(project);
      saidBefore = project.said.length;
    });

    it.each([
      ["a source", "lib/source.ts"],
      ["a new file", "functions/new.ts"],
      ["the lock file", "package-lock.json"],
      ["the installed packages", "node_modules/.package-lock.json"],
      ["the infrastructure", "infra/stage.ts"],
    ])("is made anew after a change of %s", async (_, path) => {
      writeFileSync(join(project.projectRoot, path), "changed");
      expect(await synthesize(project)).not.toBe(before);
      expect(project.said).toHaveLength(saidBefore + 1);
    });

    it("is made anew after a change of the stage's settings", async () => {
      expect(await synthesize({ ...project, stage: { name: "local", brand: {} } })).not.toBe(before);
    });

    it("is not made anew after a change of the local gateway itself", async () => {
      const directory = join(project.projectRoot, "local");
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, "gateway.ts"), "changed");
      expect(await synthesize(project)).toBe(before);
      expect(project.said).toHaveLength(saidBefore);
    });
  });

  it("that fails is reported with what the app printed, is not cached, and is tried again", async () => {
    const project = newProject();
    const source = join(project.projectRoot, "lib/source.ts");
    writeFileSync(source, "broken");
    await expect(synthesize(project)).rejects.toThrow(
      /could not be synthesized:\nlib\/source\.ts is broken$/,
    );
    expect(existsSync(project.cacheDirectory)).toBe(false);
    writeFileSync(source, "mended");
    expect(filesOf(await synthesize(project))).toContain("manifest.json");
  });

  it("that loses a file while it is written is neither served nor cached, and is tried again", async () => {
    const project = newProject();
    const removed = join(project.projectRoot, "removed");
    const losses = [
      "asset.code",
      "asset.code/index.mjs",
      "assets.json",
      "api.template.json",
      "manifest.json",
    ];
    for (const path of losses) {
      writeFileSync(removed, path);
      await expect(synthesize(project), path).rejects.toThrow(path.split("/")[0]);
      expect(existsSync(project.cacheDirectory), path).toBe(false);
    }
    rmSync(removed);
    expect(filesOf(await synthesize(project))).toContain("asset.code/index.mjs");
  });

  it("by two starts at the same time ends whole in both, and is cached once", async () => {
    const project = newProject();
    const assemblies = await Promise.all([synthesize(project), synthesize(elsewhere(project))]);
    const [one, other] = assemblies.map(filesOf);
    expect(one).toEqual(other);
    expect(cached(project)).toHaveLength(1);
    const third = await synthesize(elsewhere(project));
    expect(filesOf(third)).toEqual(one);
    expect(project.said.length).toBeLessThanOrEqual(2);
  });
});

/** What a killed process, or somebody who clears up, may leave of an assembly. */
const DAMAGES: readonly (readonly [string, (assembly: string) => void])[] = [
  ["its manifest", (assembly) => rmSync(join(assembly, "manifest.json"))],
  ["a bundle", (assembly) => rmSync(join(assembly, "asset.code"), { recursive: true })],
  ["a file of a bundle", (assembly) => rmSync(join(assembly, "asset.code/index.mjs"))],
  [
    "the end of a file",
    (assembly) => writeFileSync(join(assembly, "asset.code/index.mjs"), "export const he"),
  ],
  ["its seal", (assembly) => rmSync(join(assembly, "seal.json"))],
  ["the end of its seal", (assembly) => writeFileSync(join(assembly, "seal.json"), '{"madeFrom":')],
  ["everything", (assembly) => rmSync(assembly, { recursive: true })],
];

describe("an assembly that has lost", () => {
  const project = newProject();
  let whole: string[];
  let saidBefore: number;
  beforeEach(async () => {
    whole ??= filesOf(await synthesize(project));
    saidBefore = project.said.length;
  });

  it.each(DAMAGES)("%s, in the cache, is made again, there as well", async (_, damage) => {
    damage(onlyCached(project));
    expect(filesOf(await synthesize(elsewhere(project)))).toEqual(whole);
    expect(filesOf(await synthesize(elsewhere(project)))).toEqual(whole);
    expect(project.said).toHaveLength(saidBefore + 1);
    expect(cached(project)).toHaveLength(1);
  });

  it.each(DAMAGES)("%s, in the data directory, is taken from the cache again", async (_, damage) => {
    damage(await synthesize(project));
    expect(filesOf(await synthesize(project))).toEqual(whole);
    expect(project.said).toHaveLength(saidBefore);
  });
});

describe("the cache", () => {
  it("keeps the four that were wanted last", async () => {
    const project = newProject();
    await synthesize(project);
    for (const name of ["a", "b", "c", "d", "e"]) {
      await synthesize(elsewhere(project, { stage: { name } }));
      await synthesize(elsewhere(project));
    }
    expect(cached(project)).toHaveLength(4);
    expect(project.said).toHaveLength(6);
  });

  it("is done without where it cannot be made: the data directory has its own", async () => {
    const project = newProject();
    const file = join(project.projectRoot, "file");
    writeFileSync(file, "");
    const first = await synthesize({ ...project, cacheDirectory: join(file, "cache") });
    expect(await synthesize({ ...project, cacheDirectory: join(file, "cache") })).toBe(first);
    expect(project.said).toHaveLength(1);
  });
});

describe("what is served", () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  /** A gateway in front of an assembly, whose function waits for the others of its burst. */
  async function serve(assembly: string): Promise<string> {
    const application = readApplication(assembly);
    const parts = { application, clock: systemClock, log: () => {} };
    const pools = await startPools({
      ...parts,
      store: { endpoint: "http://127.0.0.1:9", admit: async () => {} },
      overrides: {},
    });
    const gateway = createGateway({ ...parts, pools, basePath: "" });
    open.push(
      async () => Promise.all([...pools.values()].map((pool) => pool.close())),
      () => gateway.close(),
    );
    return `http://127.0.0.1:${await gateway.listen(0, "127.0.0.1")}/hello`;
  }

  it("stays, in bursts that need new environments, after other starts have pruned and the packages were installed anew", async () => {
    const rendezvous = await startRendezvous();
    open.push(() => rendezvous.close());
    const code = `export const hello = async () => { await fetch("${rendezvous.url}"); return "hello"; };`;
    const project = newProject(code);
    const url = await serve(await synthesize(project));
    for (const name of ["a", "b", "c", "d"]) await synthesize(elsewhere(project, { stage: { name } }));
    rmSync(join(project.projectRoot, "node_modules"), { recursive: true });
    const burst = Array.from({ length: 8 }, async () => (await fetch(url)).text());
    await rendezvous.arrived(ENVIRONMENTS_MAX);
    rendezvous.open();
    expect(await Promise.all(burst)).toEqual(Array.from({ length: 8 }, () => "hello"));
  });
});
