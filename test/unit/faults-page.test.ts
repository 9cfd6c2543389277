import { expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { faultsPage } from "../support/faults/faults-page.ts";
import { endpointNames } from "../support/faults/outcomes.ts";
import { projectText } from "../support/project.ts";

test("docs/faults.md is what `npm run write -- faults` writes from the tables that the tests go through", () => {
  expect(projectText("docs/faults.md")).toBe(faultsPage());
});

test("every endpoint is tried under every fault", () => {
  expect(endpointNames.toSorted()).toEqual(endpoints.map(({ contract: { name } }) => name).toSorted());
});
