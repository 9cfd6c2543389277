import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { quotas } from "../../../scale/quotas.ts";
import { scalingFiles } from "../../../scale/scaling-files.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const files = await scalingFiles();

describe("the page about scaling and its charts", () => {
  test.each(Object.keys(files))("%s is what `npm run scaling` writes from the last measurements", (file) => {
    expect(readFileSync(path.join(root, file), "utf8")).toBe(files[file]);
  });

  test("the page shows every chart, and says in words what each one shows", () => {
    const page = files["docs/scaling.md"] ?? "";
    const shown = [...page.matchAll(/!\[[^\]]{20,}\]\(([^)]+)\)/g)].map(([, target]) => `docs/${target}`);
    expect(shown.toSorted(byText)).toEqual(
      Object.keys(files)
        .filter((file) => file.endsWith(".svg"))
        .toSorted(byText),
    );
  });

  test("charts have a description, and colours for a light and for a dark page", () => {
    for (const [, text] of Object.entries(files).filter(([file]) => file.endsWith(".svg"))) {
      expect(text).toMatch(/role="img" aria-label="[^"]{20,}"/);
      expect(text).toContain("prefers-color-scheme: dark");
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test("every quota has a page of AWS as its source", () => {
    for (const { source } of Object.values(quotas))
      expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
  });
});

const byText = (a: string, b: string): number => (a < b ? -1 : 1);
