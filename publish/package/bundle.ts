import { join, relative, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { forNode } from "../../infra/bundling/bundling-options.ts";
import { COMMONJS_NAMES, libraryRewritings, rewriting } from "../../local/code/rewritten-libraries.ts";
import { OLDEST_NODE } from "./manifest.ts";

export const projectRoot = resolve(import.meta.dirname, "../..");

/** The module that programs import. */
const IMPORTED = "publish/embed/index.ts";

/** What serves: programs, threads and modules, by the name that each has in the package's folder `code`. */
const SERVING: Readonly<Record<string, string>> = {
  "run-start": "local/run-start.ts",
  "run-worlds": "publish/worlds/run-worlds.ts",
  index: IMPORTED,
  "old-node": "publish/embed/old-node.ts",
  "house-worker": "publish/embed/house-worker.ts",
  "engine-worker": "local/store/engine-worker.ts",
  "execution-worker": "local/runtime/execution-worker.ts",
  "trades-worker": "local/demo/trades-worker.ts",
};

/** Puts the package's own module in the place of the one that describes a clone. */
const ownInstallation: Plugin = {
  name: "own-installation",
  setup(building) {
    const own = join(projectRoot, "publish/package/installation.ts");
    building.onLoad({ filter: /[\\/]local[\\/]installation\.ts$/ }, () => ({
      contents: `export * from ${JSON.stringify(own)};`,
      resolveDir: projectRoot,
    }));
  },
};

const common = {
  ...forNode,
  absWorkingDir: projectRoot,
  // Where node_modules is a link, the names of files would depend on the folder that it leads to.
  preserveSymlinks: true,
  target: `node${OLDEST_NODE}`,
  inject: ["publish/package/async-disposable-stack.ts"],
  // Names stay, for stacks that people send us.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  plugins: [
    ownInstallation,
    rewriting(libraryRewritings('require("node:path").join(__dirname, "../native")')),
  ],
} as const satisfies BuildOptions;

/**
 * The commands, built by themselves: each is loaded alone, and so what they share lies in a hundred files. A start that
 * shared these would read them all.
 */
const COMMANDS = { ops: "ops/main.ts" } as const;

/** Builds the package's code into a folder. @returns what went into it. */
export async function bundle(folder: string): Promise<readonly Metafile[]> {
  const inParts = async (entryPoints: Readonly<Record<string, string>>): Promise<Metafile> => {
    const { metafile } = await build({
      ...common,
      entryPoints,
      outdir: folder,
      format: "esm",
      splitting: true,
      chunkNames: "[name]-[hash]",
      outExtension: { ".js": ".mjs" },
      banner: { js: COMMONJS_NAMES },
    });
    return metafile;
  };
  const metafiles = [await inParts(SERVING), await inParts(COMMANDS)];
  // For programs that require it. Its threads are those above.
  await build({
    ...common,
    entryPoints: { index: IMPORTED },
    outdir: folder,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  return metafiles;
}

/** The directories of the npm packages that are part of bundles, from the top of the project, sorted. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const directories = inputs.flatMap((input) => {
    const [directory] =
      /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(projectRoot, resolve(projectRoot, input))) ?? [];
    return directory === undefined ? [] : [directory];
  });
  return [...new Set(directories)].sort();
}
