import { type KeyObject, sign } from "node:crypto";
import { decodedPath, type SignedParts, signedText } from "../../lib/signature/canonical-request.ts";

export interface RequestToSign {
  readonly method: string;
  /** The URL that is called, with its base path and query as they go over the wire. */
  readonly url: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A trading client's API key, and the private key (Ed25519) whose public key is registered under it. */
export interface ExchangeSigningKey {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
}

/**
 * The parts of a URL that are signed. The query is cut out of its text, because a URL parser would encode some
 * characters again, and the signature is over the bytes that are sent. The path is signed as API Gateway decodes it.
 *
 * @throws {RangeError} for a URL that is not absolute.
 */
export function partsOfUrl(method: string, url: string, timestamp: string): SignedParts {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+([^?#]*)(?:\?([^#]*))?/i.exec(url);
  if (found === null)
    throw new RangeError("The address must be absolute, such as https://api.example.com/1.0/…");
  return { timestamp, method, path: decodedPath(found[1] || "/"), rawQuery: found[2] ?? "" };
}

/** The Base64 signature of a request's parts. */
export const signParts = (parts: SignedParts, privateKey: KeyObject): string =>
  sign(null, Buffer.from(signedText(parts), "utf8"), privateKey).toString("base64");

/** The three headers that prove a request of the exchange, under the names that a header prefix gives them. */
export function signRequest(
  { method, url, now }: RequestToSign,
  { apiKey, privateKey }: ExchangeSigningKey,
  headerPrefix: string,
): Record<string, string> {
  const timestamp = String(now);
  return {
    [`${headerPrefix}API-Key`]: apiKey,
    [`${headerPrefix}Timestamp`]: timestamp,
    [`${headerPrefix}Signature`]: signParts(partsOfUrl(method, url, timestamp), privateKey),
  };
}
