import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import * as z from "zod/mini";

const NAME = "countinghouse";

/** The manifest of a folder that npx made to run a package: what it was asked for, and what npm made of that. */
const npxManifest = z.object({
  dependencies: z.object({ [NAME]: z.string() }),
  _npx: z.object({ packages: z.tuple([z.string()]) }),
});

/** What tells how a package's program was called. */
export interface Calling {
  /** The directory of the package that runs. */
  readonly packageRoot: string;
  /** The working directory. */
  readonly directory: string;
  /** The environment, in which npm says that it runs the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a manifest, `package.json`; undefined where there is none. */
  readonly readManifest: (path: string) => unknown;
}

/**
 * How a person calls the program again from the same directory: by npx where npx runs it or finds it among the directory's
 * packages, and else by its bare name, which a global installation puts on the path. A tarball or a version that npx was
 * asked for is named again, because npx would look elsewhere for the bare name.
 */
export function programName(calling: Calling): string {
  const { packageRoot, directory, environment } = calling;
  if (isFoundFrom(directory, packageRoot)) return `npx ${NAME}`;
  return environment.npm_lifecycle_event === "npx" ? `npx ${askedOfNpx(calling) ?? NAME}` : NAME;
}

/** Whether a package lies in the `node_modules` of a directory, or of one above it. */
function isFoundFrom(directory: string, packageRoot: string): boolean {
  if (join(directory, "node_modules", NAME) === packageRoot) return true;
  const above = dirname(directory);
  return above !== directory && isFoundFrom(above, packageRoot);
}

/** What npx was asked for, if it runs the package from a folder of its own. */
function askedOfNpx({ packageRoot, directory, readManifest }: Calling): string | undefined {
  const folder = resolve(packageRoot, "../..");
  const read = npxManifest.safeParse(readManifest(join(folder, "package.json")));
  if (!read.success) return undefined;
  const { dependencies, _npx: asked } = read.data;
  const [, file] = /^file:(.+)$/.exec(dependencies[NAME]) ?? [];
  if (file === undefined) return asked.packages[0];
  const shown = shownPath(resolve(folder, file), directory);
  return isAbsolute(shown) ? shown : `./${shown}`;
}

/** A path as a person in a directory would type it: from the directory if it lies below, else from the root. */
export function shownPath(path: string, directory: string): string {
  const way = relative(directory, path);
  return way === "" || way.startsWith("..") || isAbsolute(way) ? path : way;
}
