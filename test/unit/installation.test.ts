import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectPath, projectText } from "../support/project.ts";

const readJson = (path: string) => JSON.parse(projectText(path));

interface LockedPackage {
  readonly version?: string;
  readonly hasInstallScript?: true;
}
type Locked = Readonly<Record<string, LockedPackage>>;

const PACKAGES_MAX = 400;
const HEAVY_BYTES = 5e6;

/** What npm installed on this machine, by its place: the lock without the packages of other platforms. */
const { packages: installed } = readJson("node_modules/.package-lock.json") as { readonly packages: Locked };
const places = Object.keys(installed).filter((place) => place.includes("node_modules/"));
const nameOf = (place: string): string => place.slice(place.lastIndexOf("node_modules/") + 13);

const bytesOf = (place: string): number =>
  globSync("**/*", { cwd: projectPath(place), exclude: (path) => path === "node_modules" })
    .map((path) => statSync(join(projectPath(place), path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

test(`npm installs at most ${PACKAGES_MAX} packages`, () => {
  expect(places.length).toBeGreaterThan(0);
  expect(places.length).toBeLessThanOrEqual(PACKAGES_MAX);
});

test("no package of 5 MB or more is installed twice", () => {
  const copies = Object.values(Object.groupBy(places, nameOf)).filter((of = []) => of.length > 1);
  expect(copies.flatMap((of = []) => of.filter((place) => bytesOf(place) >= HEAVY_BYTES))).toEqual([]);
});

test.each([".", "infra/cli", "test/mutants", "test/tools"])(
  "no package runs a script when it is installed (%s)",
  (folder) => {
    const { packages } = readJson(`${folder}/package-lock.json`) as { readonly packages: Locked };
    const { allowScripts = {} } = readJson(`${folder}/package.json`) as {
      readonly allowScripts?: Readonly<Record<string, boolean>>;
    };
    const scripted = Object.keys(packages).filter((place) => packages[place]?.hasInstallScript);
    expect(scripted.map(nameOf).filter((name) => allowScripts[name] !== false)).toEqual([]);
  },
);
