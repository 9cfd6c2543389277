import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Ended, endOf } from "./child-program.ts";
import { projectPath } from "./project.ts";

const examples = projectPath("docs/examples/embedding");

/** Debian's JUnit 5 and what it needs, unless the CLASSPATH has another. */
const CLASSPATH =
  process.env.CLASSPATH ??
  globSync(
    "/usr/share/java/{junit-{jupiter,platform}*,opentest4j,apiguardian-api,univocity-parsers}.jar",
  ).join(delimiter);

/** A test of docs/examples/embedding that opens worlds over HTTP. */
export interface WorldProgram {
  readonly runner: string;
  readonly file: string;
  /** Runs the file in its directory. */
  readonly line: string;
  /** Ends without an error where the runner is on this machine. */
  readonly probe: string;
  /** How Debian installs it. */
  readonly debian: string;
}

export const worldPrograms: readonly WorldProgram[] = [
  {
    runner: "node:test",
    file: "worlds-node.js",
    line: `'${process.execPath}' --test worlds-node.js`,
    probe: "true",
    debian: "nodejs",
  },
  {
    runner: "pytest",
    file: "worlds_test.py",
    line: "python3 -m pytest -p no:cacheprovider worlds_test.py",
    probe: "python3 -m pytest --version",
    debian: "python3-pytest",
  },
  {
    runner: "go test",
    file: "worlds_test.go",
    line: "GO111MODULE=off go test worlds_test.go",
    probe: "go version",
    debian: "golang-go",
  },
  {
    runner: "JUnit 5",
    file: "WorldsTest.java",
    line: "javac -d . WorldsTest.java && java org.junit.platform.console.ConsoleLauncher --class-path . --select-class WorldsTest",
    probe: "javac -version && java org.junit.platform.console.ConsoleLauncher --help",
    debian: "default-jdk-headless junit5",
  },
];

export const isHere = ({ probe }: WorldProgram): boolean =>
  spawnSync("sh", ["-c", probe], { env: environment() }).status === 0;

/** Runs a test in a scratch directory, with worlds at an address. */
export function runWorldProgram(
  { file, line }: WorldProgram,
  directory: string,
  worlds: string,
): Promise<Ended> {
  copyFileSync(join(examples, file), join(directory, file));
  const env = { ...environment(), WORLDS: worlds };
  return endOf(spawn("sh", ["-c", `exec 2>&1; ${line}`], { cwd: directory, env }));
}

/** Without what tells node:test that it runs below another test. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...kept } = process.env;
  return { ...kept, CLASSPATH, PYTHONDONTWRITEBYTECODE: "1" };
}
