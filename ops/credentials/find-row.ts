import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { printable } from "../../lib/printable.ts";
import type { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { dayText } from "../terminal/write-table.ts";
import { findCredentialId, readCredentialRows, shortCredentialId } from "./find-credential.ts";
import { readLastUses } from "./last-uses.ts";

/**
 * The row of a key that the operator named by its whole id, or by the beginning of its digits.
 *
 * @throws {OperatorError} when there is no such key, or more than one.
 */
export function rowIn(rows: readonly CredentialRow[], given: string): CredentialRow {
  const whole = rows.find((row) => row.id === given && given !== "");
  if (whole !== undefined) return whole;
  const id = findCredentialId(
    rows.map((row) => row.id),
    given,
  );
  return rows.find((row) => row.id === id) as CredentialRow;
}

/** The row of a store that `rowIn` finds. @throws {OperatorError} as `rowIn` does. */
export const findRow = async (register: CredentialRegister, given: string): Promise<CredentialRow> =>
  rowIn(await readCredentialRows(register), given);

/** The day of a row's last use, where one is known (epoch ms). */
export async function lastUseOf(
  { table }: Pick<OperatorStore, "table">,
  { credential }: CredentialRow,
): Promise<number | undefined> {
  if (credential === undefined) return undefined;
  return (await readLastUses(table("RateLimits"), [credential])).get(credential.id);
}

/** A row in a sentence: its id, owner and label. */
export function nameOfRow({ id, credential, notes }: CredentialRow): string {
  const label = notes.label === undefined ? "" : ` ("${printable(notes.label)}")`;
  return `${shortCredentialId(id)}${credential === undefined ? "" : ` of ${printable(credential.owner)}`}${label}`;
}

/** The last use in a sentence. */
export const lastUseText = (lastUse: number | undefined): string =>
  lastUse === undefined ? "no use of the last 400 days is known" : `last used on ${dayText(lastUse)}`;

/** The row that a change returned. @throws {OperatorError} when there is none: somebody removed it meanwhile. */
export function requireRow(row: CredentialRow | undefined, given: string): CredentialRow {
  if (row === undefined) throw new OperatorError(`The key "${printable(given)}" was removed meanwhile.`);
  return row;
}
