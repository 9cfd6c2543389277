import { describe, expect, it } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { findEndpoints, servedEndpoints } from "../../../../local/faults/find-routes.ts";

const routes = endpoints.map(({ contract: { method, route, name } }) => ({
  routeKey: `${method} ${route}`,
  functionName: name,
  integrationTimeoutMs: 30_000,
}));
const served = servedEndpoints(routes, endpoints);
const find = (given: string, basePath = ""): string[] =>
  findEndpoints(given, served, basePath).map(({ endpoint }) => endpoint.contract.name);

describe("an endpoint is found", () => {
  it.each([
    "get-sell-order",
    "/sell-orders/{order_id}",
    "GET /sell-orders/{order_id}",
    "/sell-orders/01kdvdna00vzkwfkrqvamzw1gz",
    "/sell-orders/abc?x=1",
    "http://127.0.0.1:3000/sell-orders/abc",
  ])("by %s", (given) => {
    expect(find(given)).toEqual(["get-sell-order"]);
  });

  it("by a path behind the base path, and not by one that only begins like it", () => {
    expect(find("/api/transactions", "/api")).toEqual(["list-transactions"]);
    expect(find("https://h/api/transactions?count=1", "/api")).toEqual(["list-transactions"]);
    expect(() => find("/apitransactions", "/api")).toThrow("no endpoint");
  });

  it("with all others by `all`", () => {
    expect(find("all")).toEqual(endpoints.map(({ contract }) => contract.name));
  });
});

it.each([
  ["get-sel-order", "get-sell-order"],
  ["GET /transactoins", "GET /transactions"],
])("for %s, %s is offered beside the list of all", (given, meant) => {
  expect(() => find(given)).toThrow(
    `Did you mean ${meant}? The endpoints are get-transaction (/transaction/{id}),`,
  );
});

it("for a word that is like no endpoint's, only the list is given", () => {
  expect(() => find("zebra")).toThrow(
    /^There is no endpoint "zebra"\. The endpoints are .+ and all for every one\.$/,
  );
});
