/** A document of the project in parts, rendered by `page/markdown-plugin.ts`. */
declare module "*.md" {
  export const sections: ReturnType<typeof import("../../render-markdown.ts").renderMarkdown>;
}
