import { isDeepStrictEqual } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import { isKeyId } from "../../lib/auth/detached-jws.ts";
import { algorithmsOf, presentMembers, weaknessOf } from "../../lib/auth/verification-key.ts";
import { DocumentViolation, parseExactJson } from "../../lib/json/exact-json.ts";
import { POINT_BYTES } from "../../lib/signature/ed25519.ts";
import { PublicKeyError, requireRegistrablePoint } from "../../local/credentials/public-key.ts";
import { OperatorError } from "../../local/process/operator-error.ts";

/** The members that make a key (RFC 7518 section 6): each is text, and a number there is not read at all. */
const TEXTS = ["kty", "crv", "x", "y", "n", "e", "d", "alg"] as const;

/**
 * Reads one JWK, which may also be the only one of a set (RFC 7517 section 5). Members that are null are left out. Messages
 * name the file by `name` and never quote its content.
 *
 * @throws {OperatorError} for anything else, and for a set of different keys: which of them is meant cannot be known.
 */
export function parseJwk(text: string, name: string): JWK {
  const given = parseMembers(text, name);
  const keys = Array.isArray(given.keys) ? given.keys : [given];
  const jwks = keys.filter(isJwk).map(presentMembers);
  const [only, ...others] = jwks.filter(
    (jwk, at) => jwks.findIndex((other) => isDeepStrictEqual(other, jwk)) === at,
  );
  if (only === undefined || jwks.length < keys.length)
    return refuseKey(name, "is not a JWK: give one JSON object with kty");
  if (others.length > 0)
    return refuseKey(name, `holds ${others.length + 1} keys. Give the one that is meant, and no other`);
  const wrong = TEXTS.find((member) => only[member] !== undefined && typeof only[member] !== "string");
  return wrong === undefined ? only : refuseKey(name, `must have text for ${wrong}`);
}

const isJwk = (key: unknown): key is JWK => typeof key === "object" && key !== null && "kty" in key;

function parseMembers(text: string, name: string): { readonly keys?: unknown } {
  try {
    return Object(parseExactJson(text));
  } catch (error) {
    // The parser's message repeats nothing of the file.
    const reason = error instanceof DocumentViolation ? error.message : "it cannot be read";
    return refuseKey(name, `is not a JWK: ${reason}. Give one JSON object with kty`);
  }
}

/**
 * The algorithm that a key signs with, by the name that the endpoint registers. A key needs an `alg` only if its type
 * leaves a choice. Ed25519 has two names, and both are understood.
 *
 * @throws {OperatorError} when the endpoint accepts no key of its type, or its `alg` does not fit.
 */
export function algorithmOf(jwk: JWK, name: string): string {
  const { alg, ...unnamed } = jwk;
  const ofType = algorithmsOf(unnamed);
  if (ofType.length === 0) return refuseKey(name, "must be an RSA key, or one of the curve P-256 or Ed25519");
  if (jwk.kty === "RSA" && alg === undefined) return refuseKey(name, "needs alg, RS256 or PS256");
  const [chosen] = algorithmsOf(jwk);
  if (chosen === undefined)
    return refuseKey(name, `has an alg that does not fit: it must be ${ofType.join(" or ")}`);
  return chosen;
}

/** @throws {OperatorError} for a public key under which a signature would prove nothing. */
export function requireStrong(jwk: JWK, name: string): void {
  const point = Buffer.from(jwk.x ?? "", "base64url");
  try {
    // Its message says more about a bad point than `weaknessOf` does.
    if (jwk.kty === "OKP" && point.length === POINT_BYTES) requireRegistrablePoint(point);
  } catch (error) {
    if (error instanceof PublicKeyError) throw new OperatorError(`${name}: ${error.message}`, error);
    throw error;
  }
  const weakness = weaknessOf(jwk);
  if (weakness !== undefined) refuseKey(name, weakness);
}

/** The name of a key: its `kid`, or its thumbprint when it has none (RFC 7638). @throws {OperatorError} */
export async function keyIdOf(jwk: JWK, name: string): Promise<string> {
  const lacks = (): never => refuseKey(name, "lacks members of its kind of key");
  const kid: unknown = jwk.kid ?? (await calculateJwkThumbprint(jwk).catch(lacks));
  if (isKeyId(kid)) return kid;
  return refuseKey(name, "has a kid that is not 1 to 128 visible ASCII characters");
}

/** Throws an {@link OperatorError} that names the file and says why its key is refused. */
export function refuseKey(name: string, why: string): never {
  throw new OperatorError(`${name} ${why}.`);
}
