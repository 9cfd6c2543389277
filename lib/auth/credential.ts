import { createHash, randomBytes } from "node:crypto";
import type { Principal } from "../principal.ts";

/**
 * Kinds of stored credentials. Each has its own namespace in the ids, so that none is accepted in place of another. The
 * evidence that a stage may demand of the wallet is an `EvidenceKind`.
 */
export type CredentialKind =
  | "ramp-key"
  | "exchange-key"
  | "subject"
  | "jws"
  | "certificate"
  | "certificate-name";

/** A registered credential. It never contains a secret: an API key is kept as its SHA-256, in the id. */
export interface Credential {
  /** `kind#value`. */
  readonly id: string;
  readonly kind: CredentialKind;
  readonly owner: string;
  readonly scopes: readonly string[];
  /**
   * The key that verifies its signatures. Of an exchange key: the raw Ed25519 key, 64 lower-case hex digits. Of a `jws`
   * key: a public JWK with its `alg`, as JSON. Of a certificate's name: the issuer's key, where known, SPKI in Base64.
   */
  readonly publicKey?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds from which the credential no longer counts. */
  readonly expiresAt?: number;
  /** Epoch milliseconds of the revocation. A revoked credential never counts. */
  readonly revokedAt?: number;
}

/** Whether a credential counts at an instant (epoch milliseconds). */
export function isInForce(credential: Credential, now: number): boolean {
  return credential.revokedAt === undefined && (credential.expiresAt ?? Number.POSITIVE_INFINITY) > now;
}

/** The caller that a credential proves. */
export const principalOf = ({ id, owner, scopes }: Credential): Principal => ({
  owner,
  scopes,
  credentials: [id],
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const API_KEY_BYTES = 32;

/** A new API key of a ramp partner, which sends it in `X-API-KEY`: 256 random bits in base64url. */
export const newApiKey = (): string => randomBytes(API_KEY_BYTES).toString("base64url");

/** Whether a text has the form of a ramp partner's API key. */
export const isApiKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Id of a ramp partner's API key. The key has 256 random bits, so nobody can find it from a plain hash. */
export const rampKeyId = (apiKey: string): string => `ramp-key#${sha256(apiKey)}`;

/** Id of a trading client's API key, which names a public key and is not a secret. */
export const exchangeKeyId = (apiKey: string): string => `exchange-key#${sha256(apiKey)}`;

/** Id of the row that revokes one subject of one token issuer. */
export const subjectId = (issuer: string, subject: string): string => `subject#${issuer}#${subject}`;

/** Id of a registered key for detached JWS. */
export const jwsKeyId = (kid: string): string => `jws#${kid}`;

/** Id of one registered client certificate, by the SHA-256 of its DER. */
export const certificateId = (digest: Buffer): string => `certificate#${digest.toString("hex")}`;
