import { defineConfig } from "vite";
import { markdownPlugin } from "./markdown-plugin.ts";

/** Where the local server answers for the files that are built here. */
const BASE = "/_page/";

/** Builds the page into static files that ask no other host, and run no code from strings or from inline scripts. */
export default defineConfig({
  root: import.meta.dirname,
  base: BASE,
  logLevel: "warn",
  plugins: [markdownPlugin()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    emptyOutDir: true,
    // Every file has an address of its own, so that the policy of the document need not admit data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of the packages in the bundles ask to be repeated.
    license: { fileName: "licenses.md" },
  },
});
