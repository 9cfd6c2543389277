import { generateKeyPairSync, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ambiguityOf, decodedPath, signedText } from "../../../../lib/signature/canonical-request.ts";
import { partsOfUrl, signRequest } from "../../../../local/signing/sign-request.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const TIMESTAMP = "1795554000000";

const signedParts = (url: string) => {
  const { path, rawQuery } = partsOfUrl("GET", url, TIMESTAMP);
  return [path, rawQuery];
};

describe("what is signed of an address", () => {
  test.each([
    ["https://api.example/1.0/trades/all/BTC-USD?limit=10", "/1.0/trades/all/BTC-USD", "limit=10"],
    ["https://api.example/base/trades", "/base/trades", ""],
    ["https://api.example", "/", ""],
    ["https://api.example?limit=10", "/", "limit=10"],
    ["https://api.example/?", "/", ""],
    ["https://api.example/trades#part", "/trades", ""],
    ["https://api.example#part", "/", ""],
    ["https://api.example/trades?a=1#part?b=2", "/trades", "a=1"],
    ["https://api.example/trades?a=?&b=/", "/trades", "a=?&b=/"],
    ["HTTP://127.0.0.1:3000/trades?a", "/trades", "a"],
    ["a+b.c-1://host/trades", "/trades", ""],
    ["https://api.example/a%20b/%E2%82%AC?c=%20", "/a b/€", "c=%20"],
  ])("of %s are its decoded path and its query as it stands", (url, path, rawQuery) => {
    expect(signedParts(url)).toEqual([path, rawQuery]);
  });

  test("are its path as the gateway decodes it, and its query byte for byte, whatever they hold", () => {
    const path = fc.string({ unit: "grapheme" }).map((text) => `/${text}`);
    const query = fc.webQueryParameters();
    fc.assert(
      fc.property(path, query, (path, query) => {
        const url = `https://api.example${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?${query}`;
        expect(signedParts(url)).toEqual([path, query]);
      }),
    );
  });

  test("is a path that cannot be decoded as it stands", () => {
    expect(decodedPath("/a%2")).toBe("/a%2");
    expect(decodedPath("/%ff")).toBe("/%ff");
    expect(decodedPath("/%41")).toBe("/A");
  });

  test.each([
    "/1.0/trades/all/BTC-USD",
    "api.example/trades",
    "//api.example/trades",
    "1s://a/b",
    "",
    " https://a/b",
  ])("is nothing where it is not absolute: %j", (url) =>
    expect(() => signedParts(url)).toThrow(/^The address must be absolute, such as https:/),
  );
});

test("a signed request has three headers, and its signature is one of its own text by its own key", () => {
  const url = "https://api.example/1.0/trades/all/BTC-USD?limit=10";
  const headers = signRequest(
    { method: "GET", url, now: 1_795_554_000_000 },
    { apiKey: "key", privateKey },
    "X-Svc-",
  );
  expect(headers).toEqual({
    "X-Svc-API-Key": "key",
    "X-Svc-Timestamp": TIMESTAMP,
    "X-Svc-Signature": expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
  });
  const text = signedText(partsOfUrl("GET", url, TIMESTAMP));
  expect(text).toBe(`${TIMESTAMP}GET/1.0/trades/all/BTC-USDlimit=10`);
  const signature = Buffer.from(headers["X-Svc-Signature"] ?? "", "base64");
  expect(verify(null, Buffer.from(text), publicKey, signature)).toBe(true);
});

describe("the log is told what makes a request ambiguous", () => {
  const parts = { timestamp: TIMESTAMP, method: "GET", path: "/trades", rawQuery: "a=1" };
  test.each([
    ["body", ambiguityOf(parts, true)],
    ["path", ambiguityOf({ ...parts, path: "/trades?" }, false)],
    ["path", ambiguityOf({ ...parts, path: "/trades#" }, false)],
    ["query", ambiguityOf({ ...parts, rawQuery: "1" }, false)],
  ])("its %s", (part, said) => expect(said).toMatch(new RegExp(`\\b${part}\\b`)));
});
