import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "../lib/clock.ts";
import { builtCode, holdCode } from "./code/built-code.ts";

// npm's script bounds how much V8 fills with new objects in this thread (`--max-semi-space-size`, MB). Its own bound is so
// far above what a request leaves that a load would fill 100 MB with garbage. So little is looked through sooner by one
// thread than by several that wait for each other (`--no-parallel-scavenge`).

/** What runs: the code as it is built once for each change of the sources, which loads in a third of the time. */
async function built(name: string): Promise<unknown> {
  const projectRoot = resolve(import.meta.dirname, "..");
  const cacheDirectory = join(projectRoot, "node_modules/.cache/countinghouse-built");
  const directory = await builtCode({
    projectRoot,
    cacheDirectory,
    clock: systemClock,
    isOnlyBuilder: true,
  });
  holdCode(directory, systemClock);
  return await import(pathToFileURL(join(directory, `${name}.mjs`)).href);
}

/** The built program, or its sources, which say what is wrong with them if it cannot be built. */
const program = <Program>(name: string, sources: () => Promise<Program>): Promise<Program> =>
  (built(name) as Promise<Program>).catch(sources);

const args = process.argv.slice(2);
if (args.includes("--worlds"))
  await (await program("run-worlds", () => import("../publish/worlds/run-worlds.ts"))).runWorlds(args);
else await (await program("run-start", () => import("./run-start.ts"))).runStart(args);
