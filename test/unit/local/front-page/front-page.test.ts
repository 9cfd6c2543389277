import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { frontPage } from "../../../../local/front-page/front-page.ts";
import { pageResponse, prefersHtml } from "../../../../local/gateway/page.ts";

const page = frontPage("http://127.0.0.1:3000/api", { headerPrefix: "X-Acme-" });

describe("the page at the bare address", () => {
  test("names every endpoint, its headers and the reference, for programs", () => {
    const shown = JSON.parse(page.text);
    expect(shown.endpoints.map(({ request }: { request: string }) => request)).toEqual(
      endpoints.map(({ contract }) => `${contract.method} ${contract.route}`),
    );
    expect(page.text).toContain('"X-Acme-API-Key, X-Acme-Timestamp, X-Acme-Signature"');
    expect(shown).toMatchObject({
      openapi: "http://127.0.0.1:3000/api/openapi.json",
      reference: "docs/reference.md",
    });
  });
});

test("may be read by a program of any origin, and is kept by no cache", () => {
  expect(pageResponse(page).headers).toEqual({
    "content-type": "application/json",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
});

describe("an Accept header", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  test.each([
    [browser, true],
    ["text/html", true],
    ["TEXT/HTML ; Q=0.2", true],
    ["application/json;q=0.5, text/html;q=0.5", true],
    ["application/json, text/html;q=0.9", false],
    ["text/html;q=0", false],
    ["text/html;q=x", false],
    ["*/*", false],
    ["", false],
  ])("of %s prefers HTML: %s", (accept, isHtml) => {
    expect(prefersHtml(accept)).toBe(isHtml);
  });
});
