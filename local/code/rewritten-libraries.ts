import { readFile } from "node:fs/promises";
import type { Loader, Plugin } from "esbuild";

/** A module by the end of its path, and what its code becomes in a bundle. */
export type Rewriting = readonly [path: RegExp, rewrite: (code: string) => string];

/**
 * What libraries find at run time by their own place, which a bundle changes.
 *
 * @param nativeCode an expression for the directory that has the folder `prebuilds` of classic-level.
 */
export const libraryRewritings = (nativeCode: string): readonly Rewriting[] => [
  // It looks for its native code beside itself.
  [/[\\/]classic-level[\\/]binding\.js$/, (code) => code.replace("(__dirname)", `(${nativeCode})`)],
];

/** Rewrites modules while they are bundled, and fails when one no longer has what is to be rewritten. */
export const rewriting = (rewritings: readonly Rewriting[]): Plugin => ({
  name: "rewriting",
  setup(building) {
    for (const [filter, rewrite] of rewritings)
      building.onLoad({ filter }, async ({ path }) => {
        const code = await readFile(path, "utf8");
        const contents = rewrite(code);
        if (contents === code) throw new Error(`${path} no longer has what is rewritten in it`);
        const loader: Loader = path.endsWith(".ts") ? "ts" : "js";
        return { contents, loader };
      });
  },
});

/** What libraries of CommonJS expect in a module, for a module of ECMAScript. */
export const COMMONJS_NAMES = [
  'import { createRequire as createRequireHere } from "node:module";',
  "const require = createRequireHere(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
].join("\n");
