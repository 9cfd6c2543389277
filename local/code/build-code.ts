import { join } from "node:path";
import { build, stop } from "esbuild";
import { forNode } from "../../infra/bundling/bundling-options.ts";
import { COMMONJS_NAMES, libraryRewritings, rewriting } from "./rewritten-libraries.ts";

/** The programs and their threads, by the place that each has below the built code, as it has one below `local/`. */
const ENTRIES = {
  "run-start": "local/run-start.ts",
  "run-worlds": "publish/worlds/run-worlds.ts",
  "store/engine-worker": "local/store/engine-worker.ts",
  "runtime/execution-worker": "local/runtime/execution-worker.ts",
  "demo/trades-worker": "local/demo/trades-worker.ts",
} as const;

/**
 * Builds the code of `npm start` into a directory: some files of JavaScript in place of a thousand modules, a third of
 * them TypeScript. Names stay, for stacks that people read.
 */
export async function buildCode(projectRoot: string, directory: string): Promise<void> {
  await build({
    ...forNode,
    absWorkingDir: projectRoot,
    entryPoints: ENTRIES,
    outdir: directory,
    splitting: true,
    format: "esm",
    target: "node24",
    legalComments: "none",
    logLevel: "silent",
    outExtension: { ".js": ".mjs" },
    banner: { js: COMMONJS_NAMES },
    plugins: [
      rewriting([
        ...libraryRewritings(JSON.stringify(join(projectRoot, "node_modules/classic-level"))),
        // The files that it names stay where they are.
        [
          /[\\/]local[\\/]installation\.ts$/,
          (code) => code.replaceAll("import.meta.dirname", JSON.stringify(join(projectRoot, "local"))),
        ],
      ]),
    ],
  });
}

/** Ends the process of esbuild, which otherwise stays as long as this one. Builds under way never end then. */
export const endBuilder = (): Promise<void> => stop();
