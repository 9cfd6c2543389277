import type { JWK } from "jose";
import { unavailable } from "../errors.ts";
import { type VerificationKey, verificationKeyOf } from "./verification-key.ts";

/** A key of an issuer's set, with the name by which tokens may select it. */
export interface PublishedKey extends VerificationKey {
  readonly kid: string | undefined;
}

/**
 * The keys of a set (RFC 7517 section 5) that verify. The others are left out.
 *
 * @throws {Error} for a text without any key that verifies, which is worth no more than a failed fetch. It repeats
 * nothing of the text.
 */
export function readPublishedKeys(text: string): readonly PublishedKey[] {
  const { keys }: { keys?: unknown } = JSON.parse(text) as object;
  const read = Array.isArray(keys) ? keys.flatMap((jwk) => publishedKeyOf(jwk as JWK | null) ?? []) : [];
  if (read.length === 0) throw unavailable("The issuer's key set holds no key that verifies.");
  return read;
}

function publishedKeyOf(jwk: JWK | null): PublishedKey | undefined {
  const key = jwk === null ? undefined : verificationKeyOf(jwk);
  return key && { ...key, kid: jwk?.kid };
}
