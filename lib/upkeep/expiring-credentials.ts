import { type Credential, type CredentialKind, isInForce } from "../auth/credential.ts";
import { listCredentials } from "../auth/list-credentials.ts";
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
 * Every credential that is in force now (epoch ms) and will end. Unreadable rows are left out, because no function
 * accepts them either.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function expiringCredentials(table: Table, now: number): Promise<readonly Expiring[]> {
  const found: Expiring[] = [];
  for await (const { credential } of listCredentials(table)) {
    if (credential !== undefined && isInForce(credential, now)) found.push(...expiringOf(credential));
  }
  return found;
}

const expiringOf = ({ id, kind, expiresAt }: Credential): readonly Expiring[] =>
  expiresAt === undefined || !Object.hasOwn(KINDS, kind) ? [] : [{ kind: KINDS[kind], name: id, expiresAt }];
