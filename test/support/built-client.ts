import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { madeOnce } from "./made-once.ts";
import { projectPath, projectRoot } from "./project.ts";
import { scratchDirectory } from "./scratch.ts";

const SOURCES = [
  "client/src",
  "client/tsconfig.json",
  "tsconfig.json",
  "node_modules/typescript/package.json",
];

/** The client as it is published, installed into a project of a program that uses it. */
export interface BuiltClient {
  /** The program's project; removed after the test. */
  readonly project: string;
  /** The directory of the package's JavaScript. */
  readonly dist: string;
}

/** Builds the client as `npm run build` does, and installs it with the packages that it needs into a new project. */
export async function buildClient(): Promise<BuiltClient> {
  const project = scratchDirectory();
  const installed = path.join(project, "node_modules/@countinghouse/client");
  const dist = path.join(installed, "dist");
  mkdirSync(installed, { recursive: true });
  cpSync(projectPath("client/package.json"), path.join(installed, "package.json"));
  symlinkSync(projectPath("node_modules/@noble"), path.join(project, "node_modules/@noble"));
  cpSync(await builtOnce(), dist, { recursive: true });
  return { project, dist };
}

const builtOnce = (): Promise<string> =>
  madeOnce("client", { sources: SOURCES }, async (draft) => {
    const tsc = projectPath("node_modules/.bin/tsc");
    await promisify(execFile)(tsc, ["--project", "client", "--outDir", draft], { cwd: projectRoot });
  });
