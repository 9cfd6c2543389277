import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

export const projectRoot = resolve(import.meta.dirname, "..");

/** The oldest Node.js that runs the package; see package/cli.mjs. */
const TARGET = "node22.15";

/** The programs and threads, by the name that each has in the package's folder `code`. */
const ENTRIES: Readonly<Record<string, string>> = {
  main: "package/main.ts",
  "engine-worker": "local/store/engine-worker.ts",
  "execution-worker": "local/runtime/execution-worker.ts",
};

/** What programs import from the package, and its threads; each is built where it exists. */
const EMBEDDED: Readonly<Record<string, string>> = {
  index: "embed/index.ts",
  "house-worker": "embed/house-worker.ts",
};

const isThere = ([, file]: readonly [string, string]): boolean => existsSync(join(projectRoot, file));

/** The modules that programs import. */
export const hasEmbedding = (): boolean => isThere(["index", EMBEDDED.index ?? ""]);

/** Puts the package's own module in the place of the one that describes a clone. */
const ownInstallation: Plugin = {
  name: "own-installation",
  setup(building) {
    const own = join(projectRoot, "package/installation.ts");
    building.onLoad({ filter: /[\\/]local[\\/]installation\.ts$/ }, () => ({
      contents: `export * from ${JSON.stringify(own)};`,
      resolveDir: projectRoot,
    }));
  },
};

/** What libraries find at run time by their own place, which a bundle changes; by the end of the module's path. */
const REWRITTEN: readonly (readonly [RegExp, (code: string) => string])[] = [
  // It loads its operations by name, without an extension.
  [
    /[\\/]dynalite[\\/]index\.js$/,
    (code) =>
      code.replace(/require\(('\.\/(?:actions|validations)\/') \+ action\)/g, "require($1 + action + '.js')"),
  ],
  // It looks for its native code beside itself.
  [
    /[\\/]classic-level[\\/]binding\.js$/,
    (code) => code.replace("(__dirname)", '(require("node:path").join(__dirname, "../native"))'),
  ],
];

const rewrittenLibraries: Plugin = {
  name: "rewritten-libraries",
  setup(building) {
    for (const [filter, rewrite] of REWRITTEN)
      building.onLoad({ filter }, async ({ path }) => {
        const code = await readFile(path, "utf8");
        const contents = rewrite(code);
        if (contents === code) throw new Error(`${path} no longer has what is rewritten in it`);
        return { contents, loader: "js" };
      });
  },
};

const common = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: "node",
  target: TARGET,
  inject: ["package/async-disposable-stack.ts"],
  // Names stay, for stacks that people send us.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  plugins: [ownInstallation, rewrittenLibraries],
} as const satisfies BuildOptions;

/** What libraries of CommonJS expect in a module, for a module of ECMAScript. */
const COMMONJS_NAMES = [
  'import { createRequire as createRequireHere } from "node:module";',
  "const require = createRequireHere(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
].join("\n");

/** Builds the package's code into a folder. @returns what went into it. */
export async function bundle(folder: string): Promise<Metafile> {
  const modules = await build({
    ...common,
    entryPoints: { ...ENTRIES, ...Object.fromEntries(Object.entries(EMBEDDED).filter(isThere)) },
    outdir: folder,
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    banner: { js: COMMONJS_NAMES },
  });
  if (!hasEmbedding()) return modules.metafile;
  const required = await build({
    ...common,
    entryPoints: { index: EMBEDDED.index ?? "" },
    outdir: folder,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { "import.meta.url": "moduleUrl", "import.meta.dirname": "__dirname" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  return {
    inputs: { ...modules.metafile.inputs, ...required.metafile.inputs },
    outputs: modules.metafile.outputs,
  };
}

/** The directories of the npm packages that are part of a bundle, from the top of the project, sorted. */
export function bundledPackages({ inputs }: Metafile): readonly string[] {
  const directories = Object.keys(inputs).flatMap((input) => {
    const [directory] =
      /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(projectRoot, resolve(projectRoot, input))) ?? [];
    return directory === undefined ? [] : [directory];
  });
  return [...new Set(directories)].sort();
}
