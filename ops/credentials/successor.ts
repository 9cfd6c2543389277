import {
  type Credential,
  type CredentialKind,
  exchangeKeyId,
  newApiKey,
  rampKeyId,
} from "../../lib/auth/credential.ts";
import { newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import { type EvidenceOptions, readEvidence } from "./read-evidence.ts";

/** What the owner gives for a new key: nothing for a key that is made here, otherwise a public half or a certificate. */
export interface SuccessorOptions extends EvidenceOptions {
  readonly publicKey?: string;
}

/** What a successor consists of. Everything else it has from the key that it replaces. */
export interface Successor {
  readonly evidence: Pick<Credential, "id" | "kind" | "publicKey">;
  readonly apiKey?: string;
  /** Epoch milliseconds of its own end, where it has one. */
  readonly ownEnd?: number | undefined;
}

const FILE_OF: Readonly<Record<CredentialKind, string | undefined>> = {
  "ramp-key": undefined,
  "exchange-key": "--public-key FILE with the client's new public key",
  jws: "--jwk FILE with the new public key",
  certificate: "--certificate FILE with the new certificate",
  "certificate-name": "--certificate FILE with the new certificate",
  subject: undefined,
};

/** The option by which each kind is given; the others do not go with it. */
const OPTION_OF: Readonly<Record<CredentialKind, keyof SuccessorOptions | undefined>> = {
  "ramp-key": undefined,
  "exchange-key": "publicKey",
  jws: "jwk",
  certificate: "certificate",
  "certificate-name": "certificate",
  subject: undefined,
};

function requireFitting(kind: CredentialKind, options: SuccessorOptions): void {
  const wanted = OPTION_OF[kind];
  const file = FILE_OF[kind];
  if (wanted !== undefined && options[wanted] === undefined) throw new OperatorError(`Give ${file}.`);
  const isForeign = (["publicKey", "jwk", "certificate"] as const).some(
    (name) => name !== wanted && options[name] !== undefined,
  );
  if (isForeign)
    throw new OperatorError(
      `A ${kind} is not replaced by such a file: ${file === undefined ? "its new key is made here" : `give ${file}`}.`,
    );
}

/**
 * Makes or reads what replaces a key.
 *
 * @throws {OperatorError} when the options do not fit its kind, or when the end of the old key would also end the new one:
 * a certificate is refused by any ended registration that matches it.
 */
export async function successorOf(old: Credential, options: SuccessorOptions): Promise<Successor> {
  requireFitting(old.kind, options);
  if (old.kind === "ramp-key") {
    const apiKey = newApiKey();
    return { apiKey, evidence: { id: rampKeyId(apiKey), kind: old.kind } };
  }
  if (old.kind === "exchange-key") {
    const publicKey = await keyOfFile(options.publicKey ?? "", readRegistrableKey);
    const apiKey = newExchangeApiKey();
    return { apiKey, evidence: { id: exchangeKeyId(apiKey), kind: old.kind, publicKey } };
  }
  const { evidence, expiresAt, ids } = await readEvidence(options);
  if (ids.includes(old.id))
    throw new OperatorError(
      `The file holds what ${old.id} already accepts, and would be refused when that ends. Give the new one, or revoke the old registration and register anew.`,
    );
  return { evidence, ownEnd: expiresAt };
}
