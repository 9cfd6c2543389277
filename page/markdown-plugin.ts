import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { renderMarkdown } from "./render-markdown.ts";

/** Lets the page import a document of the project as its HTML and headings, made when the page is built. */
export const markdownPlugin = (): Plugin => ({
  name: "markdown",
  load: {
    filter: { id: /\.md$/ },
    handler: async (path) => {
      const { html, headings } = renderMarkdown(await readFile(path, "utf8"));
      const code = `export const html = ${JSON.stringify(html)};\nexport const headings = ${JSON.stringify(headings)};`;
      return { code, moduleType: "js", moduleSideEffects: false };
    },
  },
});
