import { afterAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { plainStore } from "../support/engine.ts";
import { startTestService } from "../support/service.ts";

const brand = { ...contractBrand, basePath: "/api", headerPrefix: "X-Acme-", versionHeader: "Acme-Version" };

const service = await startTestService(plainStore, brand);
afterAll(() => service.close());

describe("the local service", () => {
  test("serves the OpenAPI document with its own address and header names, to programs of any origin", async () => {
    const response = await service.get("/openapi.json");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ openapi: "3.1.1", servers: [{ url: service.baseUrl }] });
    expect(text).toContain("X-Acme-Signature");
    expect(text).not.toContain(contractBrand.headerPrefix);
    expect(text).not.toContain(contractBrand.versionHeader);
  });

  test("answers 404 to any other method there, and to any other path", async () => {
    const url = `${service.baseUrl}/openapi.json`;
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
    expect((await service.get("/openapi.yaml")).status).toBe(404);
    expect((await fetch(new URL("/openapi.json", url))).status).toBe(404);
  });
});
