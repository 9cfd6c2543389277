import { readFileSync } from "node:fs";
import path from "node:path";
import type { Colours } from "./ansi-svg.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Where README and documents find a picture. */
export const pictureFile = (name: string): string => path.join(root, "docs/images", name);

/** The port of a plain `npm start`, which pictures show. */
export const PORT = 3_000;

/** The page's colours in the dark, which the picture of a terminal has too. */
export function darkColours(): Colours {
  const tokens = readFileSync(path.join(root, "page/src/style/tokens.css"), "utf8");
  const dark = [...tokens.matchAll(/--([\w-]+): light-dark\(\S+, (#\w+)\)/g)];
  return Object.fromEntries(dark.map(([, name, colour]) => [name, colour])) as Colours;
}
