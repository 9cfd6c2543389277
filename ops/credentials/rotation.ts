import {
  type Credential,
  type CredentialKind,
  exchangeKeyId,
  isInForce,
  newApiKey,
  rampKeyId,
} from "../../lib/auth/credential.ts";
import { newExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { readRegistrableKey } from "../../local/credentials/public-key.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { keyOfFile } from "../arguments/read-key-file.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { instantText } from "../terminal/write-table.ts";
import { nameOfRow, shortCredentialId } from "./find-credential.ts";
import { type Issue, storeIssue } from "./issue-credential.ts";
import { type EvidenceOptions, readEvidence } from "./read-evidence.ts";

/** What the owner gives for a new key: nothing for a key that is made here, otherwise a public half or a certificate. */
export type SuccessorOptions = EvidenceOptions & { readonly publicKey?: string };

/** What a successor consists of. Everything else it has from the key that it replaces. */
interface Successor {
  readonly evidence: Pick<Credential, "id" | "kind" | "publicKey">;
  readonly apiKey?: string;
  /** Epoch milliseconds of its own end, where it has one. */
  readonly ownEnd?: number | undefined;
}

const certificate = { option: "certificate", what: "--certificate FILE with the new certificate" } as const;

/** The option by which the owner gives the new key of each kind; the others do not go with it. */
const FILES = {
  "ramp-key": undefined,
  "exchange-key": { option: "publicKey", what: "--public-key FILE with the client's new public key" },
  jws: { option: "jwk", what: "--jwk FILE with the new public key" },
  certificate,
  "certificate-name": certificate,
  subject: undefined,
} as const satisfies Record<CredentialKind, unknown>;

function requireFitting(kind: CredentialKind, options: SuccessorOptions): void {
  const file = FILES[kind];
  if (file !== undefined && options[file.option] === undefined) throw new OperatorError(`Give ${file.what}.`);
  const isForeign = (["publicKey", "jwk", "certificate"] as const).some(
    (name) => name !== file?.option && options[name] !== undefined,
  );
  if (isForeign)
    throw new OperatorError(
      `A ${kind} is not replaced by such a file: ${file === undefined ? "its new key is made here" : `give ${file.what}`}.`,
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

/** A key that can be rotated. */
export type RotatableRow = CredentialRow & { readonly credential: Credential };

/** A rotation that was decided, and not stored yet. */
export interface Rotation {
  readonly old: RotatableRow;
  readonly issue: Issue;
  /** Epoch milliseconds at which the old key ends, unless it ends earlier by itself. */
  readonly overlapEndsAt: number;
}

/** The command that issues a key of a kind anew. */
const createCommandOf = ({ kind, owner }: Credential): string => {
  if (kind === "ramp-key") return `\`keys create ramp --partner ${printable(owner)}\``;
  if (kind === "exchange-key")
    return `\`keys create exchange --owner ${printable(owner)} --public-key FILE\``;
  return "`keys create passes`";
};

/**
 * Requires a key that can be rotated now (epoch ms): one that is in force, and has no successor that is in force.
 *
 * @param rows every row of the store.
 * @throws {OperatorError} that says what to do instead.
 */
export function requireRotatable(
  row: CredentialRow,
  rows: readonly CredentialRow[],
  now: number,
): RotatableRow {
  const { credential, notes } = row;
  const name = nameOfRow(row);
  if (credential === undefined) throw new OperatorError(`${name} cannot be read as a key. Revoke it.`);
  if (credential.kind === "subject")
    throw new OperatorError(`${name} is a blocked subject, which \`subjects allow\` allows again.`);
  if (!isInForce(credential, now)) {
    const [what, when] =
      credential.revokedAt === undefined
        ? ["expired", credential.expiresAt ?? now]
        : ["was revoked", credential.revokedAt];
    throw new OperatorError(
      `${name} ${what} on ${instantText(when)}, so nothing can go on with it. Issue a new key with ${createCommandOf(credential)}.`,
    );
  }
  const successor = rows.find(({ id }) => id === notes.successor)?.credential;
  if (successor !== undefined && isInForce(successor, now)) {
    const short = shortCredentialId(successor.id);
    throw new OperatorError(
      `${name} was rotated before: ${short} replaces it. Rotate that one; or, if it was lost, revoke it and rotate again.`,
    );
  }
  return { ...row, credential };
}

/**
 * How long a successor lives unless the operator says otherwise, in ms: as long as the old key was issued for. A key that
 * was rotated before had its end brought forward, so then the lost successor tells.
 */
export function spanMsOf(
  { credential, notes }: RotatableRow,
  rows: readonly CredentialRow[],
): number | undefined {
  const lost = rows.find(({ id }) => id === notes.successor)?.credential;
  const { createdAt, expiresAt } = lost ?? credential;
  return expiresAt === undefined ? undefined : expiresAt - createdAt;
}

/** When the old key ends (epoch ms): with the overlap, or earlier by itself. */
export const endOf = ({ old, overlapEndsAt }: Rotation): number =>
  Math.min(overlapEndsAt, old.credential.expiresAt ?? overlapEndsAt);

/** @throws {OperatorError} when the new key would expire before the old one ends. */
export function requireOverlap(rotation: Rotation): void {
  const { expiresAt } = rotation.issue.credential;
  if (expiresAt === undefined || expiresAt > endOf(rotation)) return;
  throw new OperatorError(
    `The new key would expire on ${instantText(expiresAt)}, and the old one ends only on ${instantText(endOf(rotation))}. Give a later --expires, or a shorter --overlap.`,
  );
}

/** The successor as a credential: everything but its own evidence is the old one's. */
export function issueOf(
  { credential: { owner, scopes }, notes: { label } }: RotatableRow,
  { evidence, apiKey }: Successor,
  lifetime: Pick<Credential, "createdAt" | "expiresAt">,
): Issue {
  const credential = { ...evidence, owner, scopes, ...lifetime };
  return { credential, label, ...(apiKey !== undefined && { apiKey }) };
}

/**
 * Stores the successor, and then the end of the old key: whatever comes between, a key works.
 *
 * @returns the old row as it is then, or the error that kept its end from being stored.
 */
export async function rotate(
  store: OperatorStore,
  { old, issue, overlapEndsAt }: Rotation,
): Promise<{ readonly row: CredentialRow } | { readonly error: unknown }> {
  await storeIssue(store, issue);
  try {
    const register = new CredentialRegister(store.table("Credentials"));
    const row = await register.replace(old.id, issue.credential.id, overlapEndsAt);
    return { row: row ?? old };
  } catch (error) {
    return { error };
  }
}
