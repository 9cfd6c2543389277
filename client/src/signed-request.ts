import { toBase64, toBase64Url } from "./base64.ts";
import type { Sign } from "./ed25519.ts";

const utf8 = new TextEncoder();

/** A key of the exchange, ready to sign. */
export interface ExchangeKey {
  readonly apiKey: string;
  readonly sign: Sign;
  /** What the names of the three headers begin with. */
  readonly headerPrefix: string;
}

/**
 * The parts of a GET that its signature covers, in their order: timestamp, method, decoded path, and query as it is sent,
 * without its question mark. Nothing stands between them in the signed text.
 *
 * @param now Unix epoch milliseconds.
 */
export const signedParts = (url: URL, now: number): readonly [string, string, string, string] => [
  String(now),
  "GET",
  decodeURIComponent(url.pathname),
  url.search.slice(1),
];

/** The three headers that sign a GET of the exchange: Ed25519 over its {@link signedParts}. */
export async function signedHeaders(
  url: URL,
  { apiKey, sign, headerPrefix }: ExchangeKey,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const text = signedParts(url, now).join("");
  return {
    [`${headerPrefix}API-Key`]: apiKey,
    [`${headerPrefix}Timestamp`]: String(now),
    [`${headerPrefix}Signature`]: toBase64(await signed(text, sign)),
  };
}

/** A key of the wallet, ready to sign. */
export interface WalletKey {
  readonly kid: string;
  readonly sign: Sign;
}

/**
 * A detached JWS for a GET of a pass: over its method, its path and this instant, and with a `jti` for one request.
 *
 * @param now Unix epoch milliseconds.
 */
export async function detachedJws(
  url: URL,
  { kid, sign }: WalletKey,
  { now, jti }: { readonly now: number; readonly jti: string },
): Promise<string> {
  const header = { alg: "EdDSA", kid, iat: Math.floor(now / 1000), jti, htm: "GET", htp: url.pathname };
  const part = toBase64Url(utf8.encode(JSON.stringify(header)));
  return `${part}..${toBase64Url(await signed(`${part}.`, sign))}`;
}

async function signed(text: string, sign: Sign): Promise<Uint8Array> {
  const signature: unknown = await sign(utf8.encode(text));
  if (ArrayBuffer.isView(signature)) return signature as Uint8Array;
  throw new TypeError("sign: the function gives no bytes.");
}
