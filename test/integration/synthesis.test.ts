import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type SynthesisOptions, synthesize } from "../../infra/local/synthesis.ts";
import { systemClock } from "../../lib/clock.ts";
import { scratchDirectory } from "../support/scratch.ts";

/** A project whose CDK app writes a manifest that quotes its stage, or fails when its source says so. */
function newProject(): SynthesisOptions & { readonly said: string[] } {
  const projectRoot = scratchDirectory();
  for (const folder of ["infra/local", "lib", "functions"])
    mkdirSync(join(projectRoot, folder), { recursive: true });
  writeFileSync(
    join(projectRoot, "infra/app.ts"),
    `import { readFileSync, writeFileSync } from "node:fs";
     if (readFileSync("lib/source.ts", "utf8") === "broken") { console.error("lib/source.ts is broken"); process.exit(1); }
     const { CDK_OUTDIR, STAGE_FILE, SYNTH_VALIDATION } = process.env;
     writeFileSync(CDK_OUTDIR + "/manifest.json", JSON.stringify({ stage: JSON.parse(readFileSync(STAGE_FILE, "utf8")), SYNTH_VALIDATION }));`,
  );
  writeFileSync(join(projectRoot, "lib/source.ts"), "one");
  const said: string[] = [];
  const cacheDirectory = join(projectRoot, "cache");
  return {
    projectRoot,
    cacheDirectory,
    stage: { name: "local" },
    environment: {},
    clock: systemClock,
    report: (line) => said.push(line),
    said,
  };
}

it("unchanged sources and settings are synthesized once", async () => {
  const project = newProject();
  const first = await synthesize(project);
  expect(JSON.parse(readFileSync(join(first, "manifest.json"), "utf8"))).toEqual({
    stage: { name: "local" },
    SYNTH_VALIDATION: "off",
  });
  expect(await synthesize(project)).toBe(first);
  expect(project.said).toHaveLength(1);
});

it.each([
  ["a source", "lib/source.ts"],
  ["a new file", "functions/new.ts"],
  ["the lock file", "package-lock.json"],
  ["the infrastructure", "infra/stage.ts"],
])("a change of %s synthesizes anew", async (_, path) => {
  const project = newProject();
  const first = await synthesize(project);
  writeFileSync(join(project.projectRoot, path), "changed");
  expect(await synthesize(project)).not.toBe(first);
});

it("a change of the stage's settings synthesizes anew", async () => {
  const project = newProject();
  expect(await synthesize({ ...project, stage: { name: "local", brand: {} } })).not.toBe(
    await synthesize(project),
  );
});

it("a change of the local gateway itself does not", async () => {
  const project = newProject();
  const first = await synthesize(project);
  writeFileSync(join(project.projectRoot, "infra/local/gateway.ts"), "changed");
  expect(await synthesize(project)).toBe(first);
});

it("a failure is reported with what the app printed, leaves nothing behind, and is tried again", async () => {
  const project = newProject();
  const source = join(project.projectRoot, "lib/source.ts");
  writeFileSync(source, "broken");
  await expect(synthesize(project)).rejects.toThrow(/could not be synthesized:\nlib\/source\.ts is broken$/);
  expect(readdirSync(project.cacheDirectory)).toEqual([]);
  writeFileSync(source, "mended");
  await expect(synthesize(project)).resolves.toContain("cache");
});

it("starts at the same time end with the same assembly", async () => {
  const project = newProject();
  const assemblies = await Promise.all([synthesize(project), synthesize(project)]);
  expect(new Set(assemblies).size).toBe(1);
  expect(readdirSync(project.cacheDirectory)).toHaveLength(1);
});

it("old assemblies go, the ones in use last", async () => {
  const project = newProject();
  const first = await synthesize(project);
  for (const name of ["a", "b", "c", "d", "e"]) {
    await synthesize({ ...project, stage: { name } });
    await synthesize(project);
  }
  expect(readdirSync(project.cacheDirectory)).toHaveLength(4);
  expect(await synthesize(project)).toBe(first);
});
