import { importJWK, type JWK } from "jose";
import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import { misuseOf } from "../../lib/auth/verification-key.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { nameOfGiven, readGiven } from "../arguments/read-given.ts";
import { type GivenOf, takes } from "../command.ts";
import { algorithmOf, keyIdOf, parseJwk, refuseKey, requireStrong } from "./jwk-algorithm.ts";
import { readCertificate } from "./read-certificate.ts";

/** Members of a JWK that only its owner may have (RFC 7518 6.2.2, 6.3.2, 6.4.1). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Reads a public JWK that detached signatures will be verified with. A key without `kid` is named by its thumbprint
 * (RFC 7638). A key needs an `alg` only if its type leaves a choice.
 *
 * @returns its `kid`, and the text of the JWK that verifies, with its `alg`.
 * @throws {OperatorError} for a key that cannot be registered. A private key is one: only its owner should have it.
 */
export async function readPublicJwk(file: string) {
  const name = nameOfGiven(file);
  const jwk = parseJwk(await readGiven(file), name);
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(jwk, member)))
    refuseKey(name, "holds a private or secret key. Give only its public half");
  const misuse = misuseOf(jwk);
  if (misuse !== undefined) refuseKey(name, misuse);
  const alg = algorithmOf(jwk, name);
  requireStrong(jwk, name);
  const kid = await keyIdOf(jwk, name);
  const { kty, crv, x, y, n, e } = jwk;
  // The members are named one by one, so that no other member affects how a signature is verified.
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, alg })) as JWK;
  await importJWK(publicJwk, alg).catch(() => refuseKey(name, `is not a public key for ${alg}`));
  return { kid, publicKey: JSON.stringify(publicJwk) };
}

/** What names a public key or a certificate of the wallet service. */
export const evidenceTakes = takes({
  "--jwk <file>": "a public key as JWK; - for standard input",
  "--certificate <file>": "a client certificate as PEM; - for standard input",
  "--by <name>":
    "fingerprint (the default), subject, or a name that the certificate has, after DNS:, URI: or email:",
  "--issuer <file>": "with --by: the issuer's certificate, to check its key too",
});

export type EvidenceOptions = GivenOf<typeof evidenceTakes>;

/** What is registered of a public key or a certificate. */
export interface RegisteredEvidence {
  readonly evidence: Pick<Credential, "id" | "kind" | "publicKey">;
  /** Epoch milliseconds of its own end, where it has one. */
  readonly expiresAt?: number | undefined;
  /** Every id under which the same thing could be registered. */
  readonly ids: readonly string[];
}

/**
 * Reads the public key or the certificate that the options name.
 *
 * @throws {OperatorError} for options that do not go together, and for what cannot be registered.
 */
export async function readEvidence(options: EvidenceOptions): Promise<RegisteredEvidence> {
  const { jwk, certificate, by, issuer } = options;
  if (jwk !== undefined && by !== undefined)
    throw new OperatorError("--by is for certificates: a JWK is registered by its kid.");
  if (issuer !== undefined && (by ?? "fingerprint") === "fingerprint")
    throw new OperatorError(
      "--issuer goes with --by and a name: a certificate that is accepted by its fingerprint needs no issuer.",
    );
  if (jwk !== undefined && certificate === undefined) {
    const { kid, publicKey } = await readPublicJwk(jwk);
    const id = jwsKeyId(kid);
    return { evidence: { id, kind: "jws", publicKey }, ids: [id] };
  }
  if (certificate !== undefined && jwk === undefined) {
    const choice = { file: certificate, by: by ?? "fingerprint", issuerFile: issuer };
    const { expiresAt, ids, ...evidence } = await readCertificate(choice, systemClock());
    return { evidence, expiresAt, ids };
  }
  throw new OperatorError("Give either --jwk or --certificate.");
}
