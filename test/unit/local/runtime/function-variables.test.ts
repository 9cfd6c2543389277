import { expect, it } from "vitest";
import { checkOverrides, variablesOf } from "../../../../local/runtime/function-variables.ts";
import type { FunctionDefinition } from "../../../../local/template/template-function.ts";

const definition = (environment: Record<string, string>): FunctionDefinition => ({
  name: "a",
  codePath: "/code",
  handler: "index.handler",
  runtime: "nodejs24.x",
  timeoutMs: 1000,
  memoryMb: 128,
  environment,
  environmentsMax: undefined,
  permissions: { roleName: "Role", statements: [] },
});

const store = { endpoint: "http://127.0.0.1:2", accessKeyId: "ASIA1" };

it("an override replaces a variable that the template sets, and adds none to other functions", () => {
  const overrides = { TOKEN_JWKS_URL: "http://127.0.0.1:1" };
  const reads = variablesOf(
    definition({ TOKEN_JWKS_URL: "https://a.example", OTHER: "kept" }),
    store,
    overrides,
  );
  expect(reads).toMatchObject({
    ...overrides,
    OTHER: "kept",
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
  });
  expect(variablesOf(definition({}), store, overrides)).not.toHaveProperty("TOKEN_JWKS_URL");
});

it("an override of a variable that no function has is refused", () => {
  expect(() => checkOverrides([definition({ KEY: "" }), definition({})], { KEY: "x" })).not.toThrow();
  expect(() => checkOverrides([definition({ KEY: "" })], { KEYS: "x" })).toThrow(/No function.*KEYS/);
});
