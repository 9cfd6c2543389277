import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DOCUMENT_HEADERS, documentText } from "../../../../local/page/page-desk.ts";

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
