import { type Credential, type CredentialKind, isInForce } from "../auth/credential.ts";
import { credentialRows, isReplaced } from "../auth/list-credentials.ts";
import type { Table } from "../dynamo/table.ts";
import type { Expiring, ExpiringKind } from "./report-days.ts";

const KINDS: Readonly<Record<CredentialKind, ExpiringKind>> = {
  "ramp-key": "credential",
  "exchange-key": "credential",
  subject: "credential",
  jws: "credential",
  certificate: "client_certificate",
  "certificate-name": "client_certificate",
};

/**
 * Every credential that is in force now (epoch ms) and will end, unless a later one was issued in its place: its end is
 * what a rotation is for. Unreadable rows are left out, because no function accepts them either.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function expiringCredentials(table: Table, now: number): Promise<readonly Expiring[]> {
  const rows = await credentialRows(table);
  return [...rows.values()].flatMap((row) => {
    const { credential } = row;
    const counts = credential !== undefined && isInForce(credential, now) && !isReplaced(row, rows, now);
    return counts ? expiringOf(credential) : [];
  });
}

const expiringOf = ({ id, kind, expiresAt }: Credential): readonly Expiring[] =>
  expiresAt === undefined || !Object.hasOwn(KINDS, kind) ? [] : [{ kind: KINDS[kind], name: id, expiresAt }];
