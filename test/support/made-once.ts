import { readdir } from "node:fs/promises";
import path from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { hashSources, keptOrMade } from "../../local/template/kept-directories.ts";
import { projectRoot } from "./project.ts";

/** As many as a developer's branches need, and the copies of the project that tests change while others run. */
const KEPT_MAX = 6;

/** What a directory is made from. */
interface Origin {
  /** Files and directories, from the top of the project. */
  readonly sources: readonly string[];
  /** Anything else that it follows from. */
  readonly more?: string;
}

/**
 * A directory that takes long to make, and is the same for all test files: the first that needs it makes it, and later
 * runs find it until what it is made from has changed. Whoever changes anything in it works on a copy.
 *
 * @param make fills an empty directory, which is then renamed.
 */
export function madeOnce(
  name: string,
  origin: Origin,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const known = `${name} ${origin.more}`;
  const making = found.get(known) ?? findOrMake(name, origin, make);
  found.set(known, making);
  return making;
}

/** What this process has found: the sources stay as they are while tests run. */
const found = new Map<string, Promise<string>>();

async function findOrMake(
  name: string,
  { sources, more = "" }: Origin,
  make: (draft: string) => Promise<void>,
): Promise<string> {
  const cacheDirectory = path.join(projectRoot, "node_modules/.cache/countinghouse-tests", name);
  const madeFrom = await hashSources(projectRoot, more, sources);
  await keptOrMade(
    { cacheDirectory, madeFrom, nowMs: systemClock(), keptMax: KEPT_MAX },
    (one) => readdir(one),
    make,
  );
  return path.join(cacheDirectory, madeFrom);
}
