import { resolve } from "node:path";
import type { BuildOptions } from "esbuild";
import { type ReplacedModule, standIns } from "./stand-ins.ts";

/** The top of the project. */
export const projectRoot = resolve(import.meta.dirname, "../..");

/** Where this folder is for esbuild, which runs at the top of the project. */
const HERE = "./infra/bundling";

/** The file of a bundle that Lambda loads; its source map lies beside it. */
export const BUNDLE_FILE = "index.mjs";

/** The file that esbuild takes for each of these modules. */
const aliasesOf = (replaced: readonly ReplacedModule[]): Record<string, string> =>
  Object.fromEntries(replaced.map((module) => [module, `${HERE}/${standIns[module]}`]));

/**
 * How the code of a function becomes one file in a directory, with stand-ins for these modules of the SDK and for no other.
 *
 * @param entry the function's file, from the top of the project.
 */
export const bundlingOptions = (entry: string, replaced: readonly ReplacedModule[], directory: string) =>
  ({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile: resolve(directory, BUNDLE_FILE),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    alias: aliasesOf(replaced),
    logLevel: "warning",
  }) as const satisfies BuildOptions;
