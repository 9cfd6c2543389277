import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type GivenOf, takes } from "../command.ts";
import { readCertificate } from "./read-certificate.ts";
import { readPublicJwk } from "./read-jwk.ts";

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
