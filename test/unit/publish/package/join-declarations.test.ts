import { describe, expect, test } from "vitest";
import { joinDeclarations } from "../../../../publish/package/join-declarations.ts";

const ENTRY = "publish/embed/index.d.ts";

const files = {
  [ENTRY]: `import type { House } from "./types.ts";
export { Refusal } from "./thread.ts";
export type * from "./types.ts";
/**
 * Starts a house.
 */
export declare function start(): Promise<House>;
`,
  "publish/embed/types.d.ts": `import type { Brand } from "../../lib/brand.ts";
/** A house,
 * of which there may be several. */
export interface House {
    /** Its brand. */
    readonly brand: Brand;
}
export type Kind = "one" | "other";
`,
  "publish/embed/thread.d.ts": `/** Why not; Unmentioned says more. */
export declare class Refusal extends Error {
    #private;
}
export declare class Thread {
    end(): Promise<void>;
}
`,
  "lib/brand.d.ts": `import * as z from "zod/mini";
export interface Brand {
    readonly venue: string;
}
/** Needs a library. */
export declare const schema: z.ZodMiniType;
export interface Unmentioned {
}
`,
};

describe("joined declarations", () => {
  const joined = joinDeclarations(files, ENTRY);

  test("have everything that the entry exports, of its own and of others", () => {
    expect(joined.match(/^export (?:declare )?\w+ \w+/gm)).toEqual([
      "export declare class Refusal",
      "export interface House",
      "export type Kind",
      "export declare function start",
    ]);
  });

  test("have what these mention, without exporting it", () => {
    expect(joined).toContain("\ninterface Brand {\n    readonly venue: string;\n}\n");
  });

  test("have nothing else, be it of the same files or named in a comment, and import nothing", () => {
    expect(joined).not.toMatch(/import|Thread|schema|interface Unmentioned/);
  });

  test("keep the comments of what is declared", () => {
    expect(joined).toContain(" * Starts a house.\n */\nexport declare function start");
    expect(joined).toContain(" * of which there may be several. */\nexport interface House");
    expect(joined).toContain("    /** Its brand. */\n");
  });
});

test("a name that is needed and declared twice is an error, and one that is not needed is none", () => {
  const second = { "lib/other.d.ts": "export interface Brand {\n    readonly other: true;\n}\n" };
  expect(() => joinDeclarations({ ...files, ...second }, ENTRY)).toThrow(
    "Two declarations have the name Brand",
  );
  const other = { "lib/other.d.ts": "export interface Unmentioned {\n    readonly other: true;\n}\n" };
  expect(joinDeclarations({ ...files, ...other }, ENTRY)).toBe(joinDeclarations(files, ENTRY));
});
