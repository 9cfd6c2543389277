import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { dayText } from "../terminal/write-table.ts";
import { readLastUses } from "./last-uses.ts";

/** The digits of a hash that lists show, and the fewest that name a key: enough to rule out a slip of the keyboard. */
const SHOWN_DIGITS = 12;
const DIGITS_MIN = 8;

const HASH_ID = /^([a-z-]+#)([0-9a-f]{64})$/;
/** The beginning of a hash id. A name is never abbreviated, because it may itself be the beginning of another name. */
const HASH_ID_BEGINNING = /^[a-z-]+#[0-9a-f]{0,64}$/;

/** An id as lists show it: a hash is cut to its first digits, any other id is whole. */
export const shortCredentialId = (id: string): string =>
  id.replace(HASH_ID, (_, kind: string, hash: string) => kind + hash.slice(0, SHOWN_DIGITS));

/** Every row of a store's credentials. */
export const readCredentialRows = ({ table }: Pick<OperatorStore, "table">): Promise<CredentialRow[]> =>
  Array.fromAsync(new CredentialRegister(table("Credentials")).list());

/**
 * The row of a key that the operator named by its whole id or, where that ends in a hash, by the beginning of its digits.
 *
 * @throws {OperatorError} when no id or more than one begins so, or fewer than {@link DIGITS_MIN} digits are given.
 */
export function rowIn(rows: readonly CredentialRow[], given: string): CredentialRow {
  const whole = rows.find(({ id }) => id === given);
  if (whole !== undefined) return whole;
  const digits = given.split("#")[1] ?? "";
  if (!given.includes("#") || (HASH_ID_BEGINNING.test(given) && digits.length < DIGITS_MIN)) {
    const rule = `the kind, #, and at least ${DIGITS_MIN} digits, as in ramp-key#0a1b2c3d, or the whole name`;
    throw new OperatorError(
      `"${given}" is too short to name a key: give ${rule}. \`keys list\` shows the ids.`,
    );
  }
  const found = rows.filter(({ id }) => HASH_ID.test(id) && id.startsWith(given));
  if (found.length > 1)
    throw new OperatorError(`${found.length} ids begin with "${given}". Give more digits.`);
  const [only] = found;
  if (only === undefined) throw new OperatorError(`There is no key "${given}". \`keys list\` shows the ids.`);
  return only;
}

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
