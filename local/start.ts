import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "../lib/clock.ts";
import { builtCode } from "./code/built-code.ts";

/** What runs: the code as it is built once for each change of the sources, which loads in a third of the time. */
async function program(): Promise<typeof import("./run-start.ts")> {
  const projectRoot = resolve(import.meta.dirname, "..");
  const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse-built");
  try {
    const directory = await builtCode({
      projectRoot,
      cacheDirectory,
      clock: systemClock,
      isOnlyBuilder: true,
    });
    return await import(pathToFileURL(join(directory, "run-start.mjs")).href);
  } catch {
    // The sources are the same, and say what is wrong with them if it is that.
    return await import("./run-start.ts");
  }
}

const { runStart } = await program();
await runStart(process.argv.slice(2));
