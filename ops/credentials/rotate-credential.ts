import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { instantText } from "../terminal/write-table.ts";
import { shortCredentialId } from "./find-credential.ts";
import { nameOfRow } from "./find-row.ts";
import { type Issue, storeIssue } from "./issue-credential.ts";
import type { Successor } from "./successor.ts";

/** A key that can be rotated. */
export interface RotatableRow extends CredentialRow {
  readonly credential: Credential;
}

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
export const endOf = ({ old, overlapEndsAt }: Pick<Rotation, "old" | "overlapEndsAt">): number =>
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
 * @param show called with the successor once it is stored, before anything else can fail.
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
