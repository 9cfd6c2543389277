import type { Item } from "../dynamo/item.ts";
import { scan } from "../dynamo/scan.ts";
import type { Table } from "../dynamo/table.ts";
import type { Credential } from "./credential.ts";
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
