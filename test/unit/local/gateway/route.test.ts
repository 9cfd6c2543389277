import { expect, it } from "vitest";
import { createRouter } from "../../../../local/gateway/route.ts";

const router = (...routeKeys: string[]) =>
  createRouter(routeKeys.map((routeKey) => ({ routeKey, functionName: routeKey, integrationTimeoutMs: 1 })));

it("a literal path wins over one with a parameter, and a method over ANY, whatever the order", () => {
  for (const keys of [
    ["ANY /a/{id}", "GET /a/{id}", "GET /a/me"],
    ["GET /a/me", "GET /a/{id}", "ANY /a/{id}"],
  ]) {
    const route = router(...keys);
    expect(route("GET", "/a/me")?.route.routeKey).toBe("GET /a/me");
    expect(route("GET", "/a/1")).toMatchObject({
      route: { routeKey: "GET /a/{id}" },
      pathParameters: { id: "1" },
    });
    expect(route("PUT", "/a/1")?.route.routeKey).toBe("ANY /a/{id}");
  }
});

it("a path matches whole: no trailing slash, no empty segment, no other case", () => {
  const route = router("GET /a/{id}");
  for (const path of ["/a", "/a/", "/a/1/", "/a//1", "//a/1", "/A/1", "a/1", ""])
    expect(route("GET", path)).toBeUndefined();
});

it.each(["$default", "GET /{proxy+}", "GET /a/x{id}", "CONNECT /a"])(
  "the route %s is refused at the start",
  (routeKey) => {
    expect(() => router(routeKey)).toThrow(/cannot serve the route/);
  },
);
