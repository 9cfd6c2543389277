import { dirname, join } from "node:path";

/** What tells how a package's program was called. */
export interface Calling {
  /** The directory of the package that runs. */
  readonly packageRoot: string;
  /** The working directory. */
  readonly directory: string;
  /** The environment, in which npm says that it runs the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * How a person calls the program again from the same directory: by npx where npx runs it or finds it among the directory's
 * packages, and else by its bare name, which a global installation puts on the path.
 */
export function programName({ packageRoot, directory, environment }: Calling): string {
  const isByNpx = environment.npm_lifecycle_event === "npx";
  return isByNpx || isFoundFrom(directory, packageRoot) ? "npx countinghouse" : "countinghouse";
}

/** Whether a package lies in the `node_modules` of a directory, or of one above it. */
function isFoundFrom(directory: string, packageRoot: string): boolean {
  if (join(directory, "node_modules", "countinghouse") === packageRoot) return true;
  const above = dirname(directory);
  return above !== directory && isFoundFrom(above, packageRoot);
}
