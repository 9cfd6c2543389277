import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import packageLock from "../../package-lock.json" with { type: "json" };
import { importsOf } from "../support/fences.ts";
import { projectPath, projectRoot, projectText } from "../support/project.ts";

const IGNORED: ReadonlySet<string> = new Set(["node_modules", "cdk.out", "dist", ".countinghouse", ".git"]);

/** The project's files: those that git has, or all that are there, as in a download without git. */
function projectFiles(): string[] {
  const asked = spawnSync("git", ["ls-files"], { cwd: projectRoot, encoding: "utf8" });
  if (asked.status === 0 && asked.stdout !== "")
    return asked.stdout.split("\n").filter((file) => file !== "" && existsSync(projectPath(file)));
  const below = (folder: string): string[] =>
    readdirSync(projectPath(folder), { withFileTypes: true })
      .filter(({ name }) => !IGNORED.has(name))
      .flatMap((entry) => {
        const place = path.posix.join(folder, entry.name);
        return entry.isDirectory() ? below(place) : [place];
      });
  return below("");
}

const files = projectFiles();

const rootFolders = () =>
  new Set(files.filter((file) => /^[^.].*\//.test(file)).map((file) => file.split("/")[0]));

/** Words of all documents but what a command writes: pages that say so at their head, and parts between its marks. */
const wordsByHand = (): number =>
  files
    .filter((file) => file.endsWith(".md"))
    .map(projectText)
    .filter((text) => !/`npm run write -- [a-z]+`\s+writes\s+this\s+page/.test(text.slice(0, 1_000)))
    .map((text) => text.replaceAll(/<!-- (\w+): begin -->.*?<!-- \1: end -->/gs, ""))
    .reduce((total, text) => total + (text.match(/\S+/g)?.length ?? 0), 0);

/** Files of fewer than 40 lines that exactly one other file imports. */
function smallParts(): string[] {
  const product = files.filter((file) =>
    /^(?:lib|functions|infra|local|ops|publish|bench|page|client\/src)\/.*\.tsx?$/.test(file),
  );
  const texts = new Map(product.map((file) => [file, projectText(file)]));
  const imported = [...texts].flatMap(([file, text]) => [...new Set(importsOf(file, text))]);
  const users = Map.groupBy(imported, (file) => file);
  return [...texts]
    .filter(([file, text]) => users.get(file)?.length === 1 && text.trimEnd().split("\n").length < 40)
    .map(([file]) => file);
}

/** A maintainer may raise a figure, in a commit that says why; whoever makes something smaller lowers it. */
test.each<[what: string, most: number, why: string, count: () => number]>([
  ["folders at the root", 11, "they are seen at one look", () => rootFolders().size],
  [
    "files at the root",
    14,
    "tools and visitors look for each of them there",
    // Operators commit what the CDK writes when they restore a table (docs/deployment.md).
    () => files.filter((file) => !file.includes("/") && file !== "cdk.context.json").length,
  ],
  ["scripts", 12, "a user needs three of them", () => Object.keys(packageJson.scripts).length],
  [
    "packages in the root's dependencies",
    10,
    "who reads the list sees what is deployed",
    () => Object.keys(packageJson.dependencies).length,
  ],
  [
    "packages in the lock file",
    440,
    "each is loaded, scanned and updated",
    () => Object.values(packageLock.packages).filter((entry) => "integrity" in entry).length,
  ],
  // 3,000 of them tell of worlds, of time that moves, of what changed, of receipts and of a deployment's explanations.
  ["words written by hand", 33_000, "they can be read in a day", wordsByHand],
  [
    "files of under 40 lines that one file imports",
    91,
    "a name that is looked up once costs more than the lines do where they are used",
    () => smallParts().length,
  ],
])("there are no more %s than %d: %s", (_what, most, _why, count) => {
  const counted = count();
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThanOrEqual(most);
});
