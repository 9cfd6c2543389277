import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { scalingPage } from "../../../bench/scaling/page.ts";
import { quotas } from "../../../bench/scaling/quotas.ts";

const root = path.resolve(import.meta.dirname, "../../..");

test("docs/scaling.md is what `npm run write -- scaling` writes from the last measurements", async () => {
  expect(readFileSync(path.join(root, "docs/scaling.md"), "utf8")).toBe(await scalingPage());
});

test("every quota has a page of AWS as its source", () => {
  for (const { source } of Object.values(quotas))
    expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
});
