import { type Credential, isInForce } from "../../lib/auth/credential.ts";
import type { CredentialNotes } from "../../lib/auth/credential-notes.ts";
import { credentialRows, isReplaced } from "../../lib/auth/list-credentials.ts";
import type { OperatorStore } from "../store/operator-store.ts";

const DAY_MS = 86_400_000;
/** As the alarms `expiry` ring. */
const AHEAD_MS = 30 * DAY_MS;
const PAST_MS = 7 * DAY_MS;

/** A subject whose tokens are refused. */
interface BlockedSubject {
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** Why, where that was kept. */
  readonly reason: string | undefined;
}

/** A credential that ends soon, or has ended a short while ago. */
export interface EndingCredential extends Pick<Credential, "id" | "owner"> {
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly label: string | undefined;
}

export interface CredentialState {
  /** Oldest block first. */
  readonly blocked: readonly BlockedSubject[];
  /** The one that ends first comes first. */
  readonly ending: readonly EndingCredential[];
}

/**
 * The blocked subjects, and the credentials that end within 30 days from now (epoch ms) or ended within the last week, and
 * that nobody has revoked or replaced.
 */
export async function readCredentialState(
  { table }: Pick<OperatorStore, "table">,
  now: number,
): Promise<CredentialState> {
  const blocked = new Map<string, BlockedSubject>();
  const ending: EndingCredential[] = [];
  const rows = await credentialRows(table("Credentials"));
  for (const row of rows.values()) {
    const { credential, notes } = row;
    if (credential === undefined) continue;
    // A subject has a row for each issuer that the stage trusts.
    if (credential.kind === "subject" && !isInForce(credential, now))
      blocked.set(credential.owner, blockOf(credential, notes));
    else if (!isReplaced(row, rows, now)) ending.push(...endingOf(credential, notes, now));
  }
  return {
    blocked: [...blocked.values()].toSorted((a, b) => a.since - b.since),
    ending: ending.toSorted((a, b) => a.expiresAt - b.expiresAt),
  };
}

const blockOf = (
  { owner, createdAt, revokedAt = createdAt }: Credential,
  { revokedReason }: CredentialNotes,
): BlockedSubject => ({ subject: owner, since: revokedAt, reason: revokedReason });

function endingOf(
  { id, owner, expiresAt, revokedAt }: Credential,
  { label }: CredentialNotes,
  now: number,
): EndingCredential[] {
  if (expiresAt === undefined || revokedAt !== undefined) return [];
  if (expiresAt <= now - PAST_MS || expiresAt >= now + AHEAD_MS) return [];
  return [{ id, owner, expiresAt, label }];
}
