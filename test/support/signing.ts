import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { type Credential, exchangeKeyId } from "../../lib/auth/credential.ts";
import { signRequest } from "../../local/signing/sign-request.ts";
import { NOW } from "./chain.ts";

/** A key pair that is the same in every run, made from a word. */
export function keyPairOf(word: string): { readonly privateKey: KeyObject; readonly publicKeyHex: string } {
  const seed = createHash("sha256").update(word).digest("hex");
  const pkcs8 = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex");
  const privateKey = createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" });
  const raw = createPublicKey(privateKey).export({ format: "jwk" }).x ?? "";
  return { privateKey, publicKeyHex: Buffer.from(raw, "base64url").toString("hex") };
}

export const API_KEY = "k".repeat(64);
export const trader = keyPairOf("trader");

/** A registered trading client, with what a test changes about it. */
export const exchangeCredential = (changes: Partial<Credential> = {}): Credential => ({
  id: exchangeKeyId(API_KEY),
  kind: "exchange-key",
  owner: "trader-1",
  scopes: ["trades.read"],
  publicKey: trader.publicKeyHex,
  createdAt: NOW - 1_000,
  ...changes,
});

export interface SignedTarget {
  readonly path?: string;
  readonly rawQuery?: string;
  readonly now?: number;
  readonly basePath?: string;
  readonly method?: string;
  readonly prefix?: string;
}

/** The event of a request with a valid signature, unless a test then changes the request. */
export function signedEvent(
  target: SignedTarget = {},
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const { path = "/1.0/trades/all/BTC-USD", rawQuery = "limit=10", basePath = "", method = "GET" } = target;
  const url = `https://api.example${basePath}${path}${rawQuery === "" ? "" : `?${rawQuery}`}`;
  const key = { apiKey: API_KEY, privateKey: trader.privateKey };
  return {
    version: "2.0",
    rawPath: path,
    rawQueryString: rawQuery,
    headers: signRequest({ method, url, now: target.now ?? NOW }, key, target.prefix ?? "X-Svc-"),
    pathParameters: { symbol: path.split("/").at(-1) ?? "" },
    requestContext: { stage: "$default", requestId: "gateway-1", http: { method } },
    ...changes,
  };
}
