/** A document of the project in parts, rendered by `page/markdown-plugin.ts`. */
declare module "*.md" {
  export const sections: readonly {
    readonly id: string;
    readonly text: string;
    readonly depth: number;
    readonly html: string;
  }[];
}
