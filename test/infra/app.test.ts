import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { stageFileOf } from "../../infra/stage.ts";

const root = path.resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(path.join(tmpdir(), "countinghouse-app-"));
const outdir = path.join(directory, "out");
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs the app by itself, as the local gateway does. */
const runApp = (stageFile: string) =>
  spawnSync(process.execPath, ["infra/app.ts"], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env.PATH, STAGE_FILE: stageFile, CDK_OUTDIR: outdir, SYNTH_VALIDATION: "off" },
  });

test("the app synthesizes a stage file without the CDK's command line", () => {
  const stageFile = path.join(directory, "mine.json");
  const example: object = JSON.parse(readFileSync(stageFileOf(undefined, undefined), "utf8"));
  writeFileSync(stageFile, JSON.stringify({ ...example, name: "mine" }));
  const { status, stdout } = runApp(stageFile);
  expect(status).toBe(0);
  expect(stdout).toBe("");
  const files = readdirSync(outdir);
  expect(files).toEqual(
    expect.arrayContaining(["countinghouse-mine-data.template.json", "countinghouse-mine-api.template.json"]),
  );
  expect(files.some((file) => file.includes("validation-report"))).toBe(false);
});

test("a stage that cannot be used is one clear message, without a stack", () => {
  const { status, stderr } = runApp(path.join(directory, "missing.json"));
  expect(status).toBe(1);
  expect(stderr).toContain("missing.json cannot be read");
  expect(stderr).not.toMatch(/^\s+at /m);
});
