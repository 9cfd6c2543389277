import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { madeOnce } from "./made-once.ts";
import { scratchDirectory } from "./scratch.ts";

const root = path.resolve(import.meta.dirname, "../..");
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
  cpSync(path.join(root, "client/package.json"), path.join(installed, "package.json"));
  symlinkSync(path.join(root, "node_modules/@noble"), path.join(project, "node_modules/@noble"));
  cpSync(await builtOnce(), dist, { recursive: true });
  return { project, dist };
}

const builtOnce = (): Promise<string> =>
  madeOnce("client", { sources: SOURCES }, async (draft) => {
    const tsc = path.join(root, "node_modules/.bin/tsc");
    await promisify(execFile)(tsc, ["--project", "client", "--outDir", draft], { cwd: root });
  });
