import { afterEach, expect, test, vi } from "vitest";
import {
  loadConfig,
  NODE_REGION_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
  resolveRegionConfig,
} from "../../../infra/bundling/environment-config.ts";

afterEach(() => vi.unstubAllEnvs());

test("a setting is its variable's, and is read once", async () => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  const region = loadConfig(NODE_REGION_CONFIG_OPTIONS);
  expect(await region()).toBe("eu-central-1");
  vi.stubEnv("AWS_REGION", "us-east-1");
  expect(await region()).toBe("eu-central-1");
});

test("without its variable a setting is its default, given or made; without one it is nothing", async () => {
  const environmentVariableSelector = () => undefined;
  expect(await loadConfig({ environmentVariableSelector, default: 3 })()).toBe(3);
  expect(await loadConfig({ environmentVariableSelector, default: async () => 4 })()).toBe(4);
  expect(await loadConfig({ environmentVariableSelector })()).toBeUndefined();
});

test("a region that is not set stops the client by its variable's name", async () => {
  vi.stubEnv("AWS_REGION", undefined);
  await expect(loadConfig(NODE_REGION_CONFIG_OPTIONS)()).rejects.toThrow("AWS_REGION");
});

test("a switch is true, false, or refused by name", async () => {
  const read = () => loadConfig<boolean>(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS)();
  expect(await read()).toBe(false);
  vi.stubEnv("AWS_USE_FIPS_ENDPOINT", "true");
  expect(await read()).toBe(true);
  vi.stubEnv("AWS_USE_FIPS_ENDPOINT", "yes");
  await expect(read()).rejects.toThrow("AWS_USE_FIPS_ENDPOINT");
});

test("a region and a switch become functions, given or made", async () => {
  const made = resolveRegionConfig({ region: async () => "a", useFipsEndpoint: true });
  expect([await made.region(), await made.useFipsEndpoint()]).toEqual(["a", true]);
  const given = resolveRegionConfig({ region: "b", useFipsEndpoint: async () => false });
  expect([await given.region(), await given.useFipsEndpoint()]).toEqual(["b", false]);
});
