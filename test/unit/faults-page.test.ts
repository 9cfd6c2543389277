import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { faultsPage } from "../support/faults/faults-page.ts";
import { endpointNames } from "../support/faults/outcomes.ts";

test("docs/faults.md is what `npm run write -- faults` writes from the tables that the tests go through", () => {
  const page = new URL("../../docs/faults.md", import.meta.url);
  expect(readFileSync(page, "utf8")).toBe(faultsPage());
});

test("every endpoint is tried under every fault", () => {
  expect(endpointNames.toSorted()).toEqual(endpoints.map(({ contract: { name } }) => name).toSorted());
});
