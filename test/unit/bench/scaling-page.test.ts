import { expect, test } from "vitest";
import { scalingPage } from "../../../bench/scaling/page.ts";
import { quotas } from "../../../bench/scaling/quotas.ts";
import { projectText } from "../../support/project.ts";

test("docs/scaling.md is what `npm run write -- scaling` writes from the last measurements", async () => {
  expect(projectText("docs/scaling.md")).toBe(await scalingPage());
});

test("every quota has a page of AWS as its source", () => {
  for (const { source } of Object.values(quotas))
    expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
});
