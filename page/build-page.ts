import { resolve } from "node:path";
import { build } from "vite";

/** Builds the page into a directory, which it replaces: `index.html`, and files with hashed names in `assets/`. */
export async function buildPage(outDir: string): Promise<void> {
  const configFile = resolve(import.meta.dirname, "vite.config.ts");
  await build({ configFile, configLoader: "native", build: { outDir: resolve(outDir) } });
}

if (import.meta.main) await buildPage(process.argv[2] ?? resolve(import.meta.dirname, "dist"));
