import { SIGNATURE_BYTES } from "./ed25519.ts";

/** The parts of a request that its signature covers. */
export interface SignedParts {
  /** Exactly as it stands in its header. */
  readonly timestamp: string;
  /** Upper case, as on the wire. */
  readonly method: string;
  /** The public path: the base path of the domain, then the path as the gateway decoded it. */
  readonly path: string;
  /** Byte for byte as received, without its question mark. */
  readonly rawQuery: string;
}

/**
 * The text that is signed: timestamp, method, path and query, with nothing between them.
 *
 * @example
 * const parts = { timestamp: "1767225600000", method: "GET", path: "/api/1.0/trades/all/BTC-USD", rawQuery: "limit=100" };
 * signedText(parts) // → "1767225600000GET/api/1.0/trades/all/BTC-USDlimit=100"
 */
export const signedText = ({ timestamp, method, path, rawQuery }: SignedParts): string =>
  `${timestamp}${method}${path}${rawQuery}`;

/** A path as API Gateway hands it over: percent-decoded. A path that cannot be decoded stays as it is. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Why a request could share its signed text with another one, or undefined when it cannot. Nothing separates the parts,
 * so each must show where it ends: a query begins with `a-z`, which no listed symbol contains, so that a path which
 * swallowed a query names no market; a path holds no decoded `?` or `#`; and no body follows.
 */
export function ambiguityOf(parts: SignedParts, hasBody: boolean): string | undefined {
  if (hasBody) return "a body on a signed request";
  if (/[?#]/.test(parts.path)) return "a question mark or hash in the path";
  if (!/^(?:[a-z]|$)/.test(parts.rawQuery)) return "a query that does not begin with a letter a-z";
  return undefined;
}

const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/**
 * The bytes of a signature as its header spells it: padded standard Base64, 88 characters, with unused bits zero, so
 * that each signature has one spelling (RFC 4648 3.5).
 *
 * @returns undefined for any other text.
 */
export function decodeSignature(text: string): Uint8Array | undefined {
  if (!SIGNATURE.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === SIGNATURE_BYTES && bytes.toString("base64") === text ? bytes : undefined;
}
