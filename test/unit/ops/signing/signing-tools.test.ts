import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  exchangeCredentialOf,
  isExchangeApiKey,
  newExchangeApiKey,
} from "../../../../lib/auth/exchange-key.ts";
import { curlLine } from "../../../../local/signing/curl-line.ts";
import { readPrivateKey } from "../../../../ops/signing/read-private-key.ts";
import { NOW } from "../../../support/chain.ts";
import { API_KEY, trader } from "../../../support/signing.ts";

test("a shell passes every word of the curl line on unchanged", () => {
  const url = "https://api.example/x?a=$HOME&b='quoted'&c=[1-2]";
  const line = curlLine("GET", url, { "X-One": "1 2", "X-Two": '"; echo no' });
  const shown = execFileSync("sh", ["-c", line.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8" });
  expect(shown.trimEnd().split("\n")).toEqual([
    "--globoff",
    "--path-as-is",
    "-sS",
    "-H",
    "X-One: 1 2",
    "-H",
    'X-Two: "; echo no',
    url,
  ]);
  expect(curlLine("DELETE", url, {})).toContain("-X DELETE");
});

describe("keys", () => {
  test("an API key is 64 letters and digits, and no two are alike", () => {
    const keys = Array.from({ length: 50 }, newExchangeApiKey);
    for (const key of keys) expect(isExchangeApiKey(key)).toBe(true);
    expect(new Set(keys).size).toBe(50);
    expect(new Set(keys.join("")).size).toBe(62);
  });

  test("the credential holds no API key", () => {
    const options = {
      apiKey: API_KEY,
      publicKey: trader.publicKeyHex,
      owner: "trader-1",
      scopes: ["trades.read"],
      now: NOW,
    };
    const credential = exchangeCredentialOf({ ...options, expiresAt: NOW + 1 });
    expect(credential).toMatchObject({
      kind: "exchange-key",
      owner: "trader-1",
      expiresAt: NOW + 1,
      publicKey: trader.publicKeyHex,
    });
    expect(JSON.stringify(credential)).not.toContain(API_KEY);
    expect(exchangeCredentialOf(options)).not.toHaveProperty("expiresAt");
  });

  test("a private key is read from PEM in the forms in which variables hold it, and other contents are named but not quoted", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const pem = { format: "pem", type: "pkcs8" } as const;
    const written = privateKey.export(pem).toString();
    const onOneLine = written.trim().replaceAll("\n", " ");
    const other = generateKeyPairSync("ed25519").privateKey.export(pem).toString();
    for (const text of [
      written,
      written + written,
      onOneLine,
      `"${onOneLine}"`,
      written.replaceAll(/^/gm, "  "),
    ])
      expect(readPrivateKey(Buffer.from(text)).equals(privateKey)).toBe(true);
    const half = publicKey.export({ format: "pem", type: "spki" }).toString();
    for (const pair of [written + half, half + written])
      expect(readPrivateKey(Buffer.from(pair)).equals(privateKey)).toBe(true);
    const refusals = [
      [written.replaceAll("\n", "\\n"), /the two characters \\n, /],
      [written + other, /holds 2 private keys/],
      [written.replace("MC4", "MC4!"), /not a readable private key/],
      [half, /public key/],
      [generateKeyPairSync("x25519").privateKey.export(pem).toString(), /type x25519/],
      ["-----BEGIN ENCRYPTED PRIVATE KEY-----\nsecret", /encrypted/],
      ["secret", /not a readable private key/],
    ] as const;
    for (const [text, reason] of refusals) {
      expect(() => readPrivateKey(Buffer.from(text))).toThrow(reason);
      expect(() => readPrivateKey(Buffer.from(text))).not.toThrow(/secret/);
    }
  });
});
