/** A document of the project, rendered by `page/markdown-plugin.ts`. */
declare module "*.md" {
  export const html: string;
  export const headings: readonly { readonly id: string; readonly text: string; readonly depth: number }[];
}
