import { createHash, randomBytes } from "node:crypto";

/** What kinds of credentials are kept; each has a namespace of its own in the ids, so that none opens another's door. */
export type CredentialKind =
  | "ramp-key"
  | "exchange-key"
  | "subject"
  | "jws"
  | "certificate"
  | "certificate-name";

/** A registered credential. Secrets are never part of it: a key is kept as its SHA-256, in the id. */
export interface Credential {
  /** `kind#value`. */
  readonly id: string;
  readonly kind: CredentialKind;
  readonly owner: string;
  readonly scopes: readonly string[];
  /**
   * What its signatures are verified with. Of an exchange key: the raw Ed25519 key, 64 lower-case hex digits. Of a `jws`
   * key: a public JWK with its `alg`, as JSON. Of a certificate's name, where its issuer's key is known: that key, SPKI in
   * Base64.
   */
  readonly publicKey?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds from which it no longer counts. */
  readonly expiresAt?: number;
  /** Epoch milliseconds since which it no longer counts. */
  readonly revokedAt?: number;
}

/** Whether a credential counts at an instant (epoch milliseconds). */
export function isInForce(credential: Credential, now: number): boolean {
  return credential.revokedAt === undefined && (credential.expiresAt ?? Number.POSITIVE_INFINITY) > now;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const API_KEY_BYTES = 32;

/** 256 random bits in base64url: what a ramp partner sends in `X-API-KEY`. */
export const newApiKey = (): string => randomBytes(API_KEY_BYTES).toString("base64url");

/** Whether a text can be an API key at all. */
export const isApiKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Id of a ramp partner's API key. The key has 256 random bits, so a plain hash of it cannot be searched. */
export const rampKeyId = (apiKey: string): string => `ramp-key#${sha256(apiKey)}`;

/** Id of a trading client's API key, which names a public key and is no secret by itself. */
export const exchangeKeyId = (apiKey: string): string => `exchange-key#${sha256(apiKey)}`;

/** Id of the row that revokes one subject of one token issuer. */
export const subjectId = (issuer: string, subject: string): string => `subject#${issuer}#${subject}`;

/** Id of a registered key for detached JWS. */
export const jwsKeyId = (kid: string): string => `jws#${kid}`;

/** Id of one registered client certificate, by the SHA-256 of its DER. */
export const certificateId = (digest: Buffer): string => `certificate#${digest.toString("hex")}`;
