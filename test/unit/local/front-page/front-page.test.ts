import { describe, expect, test } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { frontPage } from "../../../../local/front-page/front-page.ts";
import { htmlPage } from "../../../../local/front-page/html-page.ts";
import { pageResponse } from "../../../../local/gateway/page.ts";

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

  test("has the same in HTML, with a link to the document", () => {
    for (const { contract } of endpoints) expect(page.html).toContain(`<code>GET ${contract.route}</code>`);
    expect(page.html).toContain('<a href="http://127.0.0.1:3000/api/openapi.json">openapi.json</a>');
  });

  test("needs no other file, says its language, and follows the reader's colours", () => {
    expect(page.html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.html).toContain("color-scheme:light dark");
    expect(page.html).not.toMatch(/<(?:script|img|link|iframe)\b|\bsrc=|@import|url\(/);
    expect(page.html?.match(/<h1>/g)).toHaveLength(1);
    expect(page.html).toContain('<th scope="col">');
  });
});

test("a text of an HTML page is never taken for a tag, an attribute or an entity", () => {
  const text = `<b>"it's" &amp;`;
  const html = htmlPage({
    title: text,
    sections: [
      { heading: text, paragraphs: [[{ text }, { code: text }, { link: text, text }]] },
      { head: [text], rows: [[{ text }]] },
    ],
  });
  const escaped = "&#60;b&#62;&#34;it&#39;s&#34; &#38;amp;";
  expect(html.split(escaped)).toHaveLength(10);
  expect(html).not.toContain("<b>");
});

describe("a page that has two forms", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  test.each([
    [browser, "text/html; charset=utf-8"],
    ["text/html", "text/html; charset=utf-8"],
    ["TEXT/HTML ; Q=0.2", "text/html; charset=utf-8"],
    ["application/json;q=0.5, text/html;q=0.5", "text/html; charset=utf-8"],
    ["application/json, text/html;q=0.9", "application/json"],
    ["text/html;q=0", "application/json"],
    ["text/html;q=x", "application/json"],
    ["*/*", "application/json"],
    ["", "application/json"],
    [undefined, "application/json"],
  ])("answers Accept: %s with %s", (accept, type) => {
    const { headers, body } = pageResponse(page, accept);
    expect(headers).toMatchObject({ "content-type": type, vary: "Accept" });
    expect(String(body)).toBe(type === "application/json" ? page.text : page.html);
    expect("content-security-policy" in headers).toBe(type !== "application/json");
  });

  test("and a page with one form is the same to everyone", () => {
    const { headers } = pageResponse({ type: "application/json", text: "{}" }, browser);
    expect(headers).not.toHaveProperty("vary");
    expect(headers["content-type"]).toBe("application/json");
  });
});
