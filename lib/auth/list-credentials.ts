import type { Item } from "../dynamo/item.ts";
import { scan } from "../dynamo/scan.ts";
import type { Table } from "../dynamo/table.ts";
import { type Credential, isInForce } from "./credential.ts";
import { type CredentialNotes, notesOf } from "./credential-notes.ts";
import { credentialOf } from "./credential-store.ts";

/** A row of the table. The credential is undefined when the row is damaged or was not written by the register. */
export interface CredentialRow {
  readonly id: string;
  readonly credential: Credential | undefined;
  readonly notes: CredentialNotes;
}

/** Every row of the table of credentials, in no order. An unreadable row does not keep back the others. */
export async function* listCredentials(table: Table): AsyncGenerator<CredentialRow> {
  for await (const item of scan(table)) yield rowOf(item);
}

/** A stored item as a row. */
export const rowOf = (item: Item): CredentialRow => ({
  id: item.id?.S ?? "",
  credential: readCredential(item),
  notes: notesOf(item),
});

function readCredential(item: Item): Credential | undefined {
  try {
    return credentialOf(item);
  } catch {
    return undefined;
  }
}

/** Rows by their ids. */
export type CredentialRows = ReadonlyMap<string, CredentialRow>;

/** Every row of the table of credentials. */
export const credentialRows = async (table: Table): Promise<CredentialRows> =>
  new Map((await Array.fromAsync(listCredentials(table))).map((row) => [row.id, row]));

/**
 * Whether nobody has to follow the end of a credential: a key that was issued in its place, or in place of that one, is in
 * force now (epoch ms) and ends later, or never.
 */
export function isReplaced(row: CredentialRow, rows: CredentialRows, now: number): boolean {
  const endOf = ({ expiresAt = Number.POSITIVE_INFINITY }: Credential): number => expiresAt;
  const seen = new Set([row]);
  let next = rows.get(row.notes.successor ?? "");
  while (next !== undefined && !seen.has(next)) {
    const { credential } = next;
    const goesOn = credential !== undefined && isInForce(credential, now);
    if (goesOn && (row.credential === undefined || endOf(credential) > endOf(row.credential))) return true;
    seen.add(next);
    next = rows.get(next.notes.successor ?? "");
  }
  return false;
}
