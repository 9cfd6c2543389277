import { describe, expect, it } from "vitest";
import { isPreflight, preflightHeaders, responseCorsHeaders } from "../../../../local/gateway/cors.ts";
import type { CorsRules } from "../../../../local/template/template.ts";

const rules: CorsRules = {
  origins: ["https://a.example"],
  methods: ["GET"],
  headers: ["authorization", "x-api-key"],
  exposedHeaders: ["etag", "link"],
  maxAgeS: 60,
  credentials: false,
};

describe("a preflight", () => {
  it("is OPTIONS with an origin and a wanted method, and nothing else is", () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
    expect(isPreflight("OPTIONS", headers)).toBe(true);
    expect(isPreflight("GET", headers)).toBe(false);
    expect(isPreflight("OPTIONS", { origin: headers.origin })).toBe(false);
  });

  it("of an allowed origin is answered with the allowed methods and headers", () => {
    expect(preflightHeaders(rules, "https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "authorization,x-api-key",
      "access-control-max-age": "60",
    });
  });

  it.each(["https://a.example.evil", "http://a.example", "https://A.example", "null", undefined])(
    "of %s is answered without CORS headers",
    (origin) => {
      expect(preflightHeaders(rules, origin)).toEqual({});
      expect(responseCorsHeaders(rules, origin)).toEqual({});
    },
  );
});

describe("an answer", () => {
  it("to an allowed origin exposes the headers that programs need", () => {
    expect(responseCorsHeaders({ ...rules, credentials: true }, "https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "etag,link",
    });
  });

  it("may go to the origins that a wildcard of HTTP APIs matches", () => {
    const origin = (origins: string[], from: string) =>
      responseCorsHeaders({ ...rules, origins }, from)["access-control-allow-origin"];
    expect(origin(["*"], "https://b.example")).toBe("*");
    expect(origin(["https://*"], "https://b.example")).toBe("https://b.example");
    expect(origin(["https://*"], "http://b.example")).toBeUndefined();
  });
});
