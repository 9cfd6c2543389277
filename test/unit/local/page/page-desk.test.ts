import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  DOCUMENT_HEADERS,
  documentText,
  fileAnswer,
  guardQuestion,
} from "../../../../local/page/page-desk.ts";

const built = '<head><meta name="page-key" content=""></head>';
const files = { document: built, assets: new Map() };
const RELOAD = "location.reload()";

test("the built document gets the key of the start, and nothing else changes", () => {
  expect(documentText({ kind: "ready", files }, "a-key")).toBe(
    '<head><meta name="page-key" content="a-key"></head>',
  );
});

describe("before there is a page, the document", () => {
  test("says that it is being built, and loads itself again", () => {
    const text = documentText({ kind: "building" }, "a-key");
    expect(text).toContain("being built");
    expect(text).toContain(RELOAD);
    expect(text).not.toContain("a-key");
  });

  test("says where the reason is if it cannot be built, and stays as it is", () => {
    const text = documentText({ kind: "failed" }, "a-key");
    expect(text).toContain("could not be built");
    expect(text).not.toContain(RELOAD);
    expect(text).not.toContain("a-key");
  });

  test.each(["building", "failed"] as const)("loads nothing (%s)", (kind) => {
    const text = documentText({ kind }, "a-key");
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).not.toMatch(/<(?:img|link|iframe)\b|\bsrc=|url\(/);
  });

  test("has the one style and the one script in it that its policy admits", () => {
    const text = documentText({ kind: "building" }, "a-key");
    for (const tag of ["style", "script"]) {
      const [, inner = ""] = new RegExp(`<${tag}>(.*)</${tag}>`, "s").exec(text) ?? [];
      const hash = createHash("sha256").update(inner).digest("base64");
      expect(DOCUMENT_HEADERS["content-security-policy"]).toContain(`${tag}-src 'self' 'sha256-${hash}';`);
    }
    expect(documentText({ kind: "failed" }, "a-key")).not.toContain("<script");
  });
});

test("a file is promised while the page is being built, and not missed before it can be known to be", () => {
  expect(fileAnswer({ kind: "building" }, "GET", "/_page/countinghouse.http")).toMatchObject({
    status: 503,
    headers: { "retry-after": "2" },
    body: expect.stringContaining("being built"),
  });
  expect(fileAnswer({ kind: "failed" }, "GET", "/_page/countinghouse.http").status).toBe(500);
  expect(fileAnswer({ kind: "ready", files }, "GET", "/_page/countinghouse.http").status).toBe(404);
});

const KEY = "key-of-this-start";
const own = {
  host: "127.0.0.1:3000",
  origin: "http://127.0.0.1:3000",
  "sec-fetch-site": "same-origin",
};
const statusOf = (headers: Parameters<typeof guardQuestion>[0], key = KEY) =>
  guardQuestion(headers, key, KEY)?.status;

describe("a question is answered", () => {
  test.each([
    ["of this page", own],
    ["of this page in a browser that does not name the site", { host: own.host, origin: own.origin }],
    ["of this page behind a proxy that speaks TLS", { ...own, origin: "https://127.0.0.1:3000" }],
    ["of an event stream, which names no origin", { host: own.host, "sec-fetch-site": "same-origin" }],
    ["of an address that its user has typed", { host: own.host, "sec-fetch-site": "none" }],
    ["of a program with the key", { host: own.host }],
  ])("that is %s", (_, headers) => expect(statusOf(headers)).toBeUndefined());
});

describe("a question is refused, whatever key it shows", () => {
  test.each([
    ["another host", { ...own, origin: "https://evil.example" }],
    ["another port of this machine", { ...own, origin: "http://127.0.0.1:8080" }],
    ["another name of this machine", { ...own, origin: "http://localhost:3000" }],
    ["another scheme", { ...own, origin: "moz-extension://127.0.0.1:3000" }],
    ["a host that only begins like this one", { ...own, origin: "http://127.0.0.1:30001" }],
    ["a document without an origin, such as a file or a sandboxed frame", { ...own, origin: "null" }],
    ["another site, as the browser says", { ...own, "sec-fetch-site": "cross-site" }],
    ["another origin of the same site", { ...own, "sec-fetch-site": "same-site" }],
    ["another site that names no origin", { host: own.host, "sec-fetch-site": "cross-site" }],
  ])("that comes from %s", (_, headers) => expect(statusOf(headers)).toBe(403));
});

test.each(["", "key-of-another-start", `${KEY} `, KEY.slice(0, -1)])("the key %j is refused", (key) => {
  expect(statusOf(own, key)).toBe(401);
});
