import { expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { type OpenApi, parametersOf } from "../../../../local/page/page-session.ts";
import { projectText } from "../../../support/project.ts";

const document = JSON.parse(projectText("docs/api/openapi.json")) as OpenApi;

test.each(endpoints.map(({ contract }) => [contract.name, contract] as const))(
  "the parameters of %s are those of its contract, each with a text",
  (_, { route, query }) => {
    const found = parametersOf(document, route);
    const named = (place: string) => found.filter((one) => one.in === place).map(({ name }) => name);
    expect(named("query").toSorted()).toEqual(Object.keys(query.shape).toSorted());
    expect(named("path")).toEqual([...route.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name));
    expect(found.filter(({ text }) => text === "")).toEqual([]);
  },
);

test("a parameter says what it takes, what counts without it, and where it is found elsewhere", () => {
  const parameters = parametersOf(
    {
      paths: {
        "/a": {
          get: {
            parameters: [
              { name: "state", in: "query", schema: { type: "array", items: { enum: ["x", "y"] } } },
              { name: "limit", in: "query", deprecated: true, example: 5, schema: { default: 10 } },
              { name: "id", in: "path", required: true, example: ["a", "b"], schema: { enum: ["a"] } },
              { $ref: "#/components/parameters/Other" },
              { $ref: "#/components/parameters/Lost" },
            ],
          },
        },
      },
      components: { parameters: { Other: { name: "X-Other", in: "header", description: "Another." } } },
    },
    "/a",
  );
  const plain = { isRequired: false, isRepeatable: false, isDeprecated: false, text: "" };
  expect(parameters).toEqual([
    { ...plain, name: "state", in: "query", isRepeatable: true, choices: ["x", "y"] },
    { ...plain, name: "limit", in: "query", isDeprecated: true, example: "5", default: "10" },
    { ...plain, name: "id", in: "path", isRequired: true, example: "a,b", choices: ["a"] },
    { ...plain, name: "X-Other", in: "header", text: "Another." },
  ]);
});
