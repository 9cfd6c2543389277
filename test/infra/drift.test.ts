import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { environmentOf } from "../../infra/environment.ts";
import { ingest } from "../../infra/ingest.ts";
import { upkeep } from "../../infra/upkeep.ts";
import { readEnv } from "../../lib/env.ts";
import { bucketsIn, type rateLimitEnv } from "../../lib/rate-limit/settings.ts";
import { projectFiles, projectPath } from "../support/project.ts";
import { sorted, testStage } from "../support/synthesize.ts";

test("every function's file is deployed, and every deployed file exists", () => {
  const files = projectFiles("functions/**/*.ts");
  expect(sorted(files)).toEqual(sorted([...endpoints, upkeep, ingest].map(({ entry }) => entry)));
});

test("every contract of the library is deployed, once", async () => {
  const modules = projectFiles("lib/*/contract.ts").map(
    (file) => import(projectPath(file)) as Promise<Record<string, unknown>>,
  );
  const contracts = (await Promise.all(modules))
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === "object" && value !== null && "route" in value);
  expect(new Set(endpoints.map(({ contract }) => contract))).toEqual(new Set(contracts));
  expect(endpoints).toHaveLength(contracts.length);
});

test("an endpoint's file is named after it", () => {
  for (const { contract, entry } of endpoints) expect(entry).toBe(`functions/${contract.name}.ts`);
});

test("no two endpoints share a name or a route", () => {
  expect(new Set(endpoints.map(({ contract }) => contract.name)).size).toBe(endpoints.length);
  expect(new Set(endpoints.map(({ contract }) => contract.route)).size).toBe(endpoints.length);
});

test("the parameters of a route are the ones that its contract checks", () => {
  for (const { contract } of endpoints) {
    const placeholders = [...contract.route.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name ?? "");
    expect(Object.keys((contract.path as unknown as { shape: object }).shape)).toEqual(placeholders);
  }
});

test("a limit's name makes a variable's name, and endpoints that share it agree on its buckets", () => {
  for (const { contract } of endpoints) {
    const { name, defaultBuckets } = contract.limit;
    expect(name).toMatch(/^[a-z]{1,20}$/);
    const sharing = endpoints.filter((endpoint) => endpoint.contract.limit.name === name);
    for (const other of sharing) expect(other.contract.limit.defaultBuckets).toEqual(defaultBuckets);
  }
});

test("every limit of a contract is a setting of the stage, and there is no other", () => {
  const names = new Set(endpoints.map(({ contract }) => contract.limit.name));
  expect(new Set(Object.keys(testStage().rateLimits))).toEqual(names);
});

test("a stage that sets the buckets of one limit leaves those of the others as their contracts have them", () => {
  const ramp = [{ name: "minute", burst: 7, refillTokens: 60, refillWindowMs: 60_000 }];
  const stage = testStage({ rateLimits: { ramp } });
  for (const endpoint of endpoints) {
    const { name, defaultBuckets } = endpoint.contract.limit;
    const variable = environmentOf(stage, endpoint)[`RATE_LIMIT_${name.toUpperCase()}`] ?? "";
    expect([name, JSON.parse(variable)]).toEqual([name, name === "ramp" ? ramp : defaultBuckets]);
  }
});

test("a limit that no contract names is refused by its path", () => {
  const buckets = [{ name: "second", burst: 1, refillTokens: 1, refillWindowMs: 1_000 }];
  expect(() => testStage({ rateLimits: { ramps: buckets } })).toThrow("rateLimits.ramps: is not a setting");
});

describe.each(endpoints)("the environment of $contract.name", (endpoint) => {
  const { contract } = endpoint;
  const stage = testStage();
  const environment = environmentOf(stage, endpoint);
  const schema = contract.env as z.ZodMiniObject<ReturnType<typeof rateLimitEnv>>;

  test("has the buckets of its own limit", () => {
    const buckets = Object.entries(stage.rateLimits).find(([name]) => name === contract.limit.name)?.[1];
    expect(bucketsIn(readEnv(schema, environment), contract.limit)).toEqual(buckets);
  });

  test("is refused when a bucket is smaller than the cost of the most expensive request", () => {
    const { name, costMax } = contract.limit;
    const burstOf = (burst: number) => ({
      ...environment,
      [`RATE_LIMIT_${name.toUpperCase()}`]: `[{"name":"one","burst":${burst},"refillTokens":1,"refillWindowMs":1000}]`,
    });
    expect(() => readEnv(schema, burstOf(costMax))).not.toThrow();
    expect(() => readEnv(schema, burstOf(costMax - 1))).toThrow(`RATE_LIMIT_${name.toUpperCase()}`);
  });
});

test("a variable without a value stops the synthesis", () => {
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error("There are no endpoints.");
  expect(() => environmentOf(testStage(), { ...endpoint, tables: [] })).toThrow(
    `${endpoint.contract.name} needs CREDENTIALS_TABLE`,
  );
});
