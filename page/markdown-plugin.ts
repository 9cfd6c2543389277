import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { renderMarkdown } from "./render-markdown.ts";
import { type TryLinks, tryLinks } from "./try-links.ts";

/** What integrators' programs read, made from the contracts as the reference is. */
const API = resolve(import.meta.dirname, "../docs/api");
/** Files that the page hands out as they are. */
const HANDED_OUT = ["countinghouse.postman_collection.json", "countinghouse.http"];

/** Lets the page import a document of the project as the HTML of its parts, made when the page is built. */
export const markdownPlugin = (): Plugin => ({
  name: "markdown",
  async generateBundle() {
    for (const fileName of HANDED_OUT)
      this.emitFile({ type: "asset", fileName, source: await readFile(join(API, fileName)) });
  },
  load: {
    filter: { id: /\.md$/ },
    handler: async (path) => {
      const sections = renderMarkdown(await readFile(path, "utf8"), await linksToEndpoints());
      const code = `export const sections = ${JSON.stringify(sections)};`;
      return { code, moduleType: "js", moduleSideEffects: false };
    },
  },
});

/** An endpoint's name is its operation's, with hyphens. */
async function linksToEndpoints(): Promise<TryLinks> {
  const { paths } = JSON.parse(await readFile(join(API, "openapi.json"), "utf8")) as {
    readonly paths: Readonly<Record<string, { readonly get: { readonly operationId: string } }>>;
  };
  return tryLinks(
    Object.entries(paths).map(([route, { get }]) => ({
      route,
      name: get.operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    })),
  );
}
