import type { CredentialRow } from "../../lib/auth/list-credentials.ts";
import { systemClock } from "../../lib/clock.ts";
import { printable } from "../../lib/printable.ts";
import { CredentialRegister } from "../../local/credentials/credential-register.ts";
import { parseLabelOrNone } from "../arguments/label.ts";
import { parseReason } from "../arguments/told-reason.ts";
import { actorOf } from "../audit/actor.ts";
import { defineCommand } from "../command.ts";
import { instantText } from "../terminal/write-table.ts";
import {
  lastUseOf,
  lastUseText,
  nameOfRow,
  readCredentialRows,
  requireRow,
  rowIn,
  shortCredentialId,
} from "./find-credential.ts";
import { keyExample, keyOf, keyShape } from "./key-json.ts";

/** `keys label`: gives a key a label, or takes it away. */
export const labelKey = defineCommand({
  words: "keys label",
  summary: "label a key, to tell it from others of its owner",
  about: `A label tells keys of one owner apart. It is one line of 1 to 80 printable characters; an empty text takes the label away.
Every operator can read it, so nothing that looks like a key is accepted. No caller ever sees it.`,
  examples: [
    'ops keys label ramp-key#0a1b2c3d4e5f "payments server"',
    'ops keys label ramp-key#0a1b2c3d4e5f ""',
  ],
  exits: { 0: "labelled", 2: "there is no such key, or the text cannot be a label" },
  on: "store",
  takes: {
    "<id>": "the key's id, or the beginning of its digits",
    "<text>": { text: "the label; an empty text takes it away", parse: parseLabelOrNone, isUnquoted: true },
  },
  dryRun: "say what would be stored, and store nothing",
  json: { shape: keyShape, example: keyExample },
  async run({ id, text, dryRun }, { store: open }) {
    const store = await open();
    const register = new CredentialRegister(store.table("Credentials"));
    const before = rowIn(await readCredentialRows(store), id);
    const isChanged = !dryRun && before.notes.label !== text;
    const row = isChanged ? requireRow(await register.label(before.id, text), id) : before;
    const { label: _, ...notes } = row.notes;
    const labelled = { ...row, notes: { ...notes, ...(text !== undefined && { label: text }) } };
    const short = shortCredentialId(row.id);
    const state = text === undefined ? "without a label" : `labelled "${printable(text)}"`;
    return {
      audit: isChanged ? { target: `key ${short}` } : undefined,
      json: keyOf(labelled, await lastUseOf(store, row), systemClock()),
      text: `${short} ${dryRun ? "would be" : "is"} ${state}.`,
    };
  },
});

function describe(row: CredentialRow, lastUse: number | undefined, dryRun: boolean): string {
  const { id, credential, notes } = row;
  const name = nameOfRow(row);
  if (credential?.revokedAt !== undefined) {
    const by = notes.revokedBy === undefined ? "" : ` by ${printable(notes.revokedBy)}`;
    return `${name} was revoked before, on ${instantText(credential.revokedAt)}${by}.`;
  }
  if (dryRun) return `${name}, ${lastUseText(lastUse)}, would be revoked for good.`;
  if (credential === undefined)
    return `Revoked ${id}. Its row cannot be read as a key: find out what wrote it.`;
  return `Revoked ${name}. It is refused within five seconds.`;
}

/** `keys revoke`: ends a key for good. */
export const revokeKey = defineCommand({
  words: "keys revoke",
  summary: "revoke a key for good",
  about: `\`keys list\` shows the ids. An id that ends in hex digits may be shortened to its kind and at least 8 digits, if no other
id begins with them. An id that ends in a name (jws#…) must be given whole.
A revoked key is refused everywhere within five seconds, and stays listed. Revoking cannot be undone, so the command asks
first; without a terminal it needs --yes. To replace a key that is in use, see \`keys rotate\`.`,
  examples: [
    'ops keys revoke ramp-key#0a1b2c3d4e5f --reason "found in a log"',
    "ops keys revoke ramp-key#0a1b2c3d4e5f --dry-run",
  ],
  exits: {
    0: "revoked (or revoked before)",
    1: "the answer was no",
    2: "there is no such key, or it could not be revoked",
  },
  on: "store",
  takes: {
    "<id>": "the key's id, or the beginning of its digits",
    "--reason <text>": { text: "why, for the other operators", parse: parseReason, isUnquoted: true },
  },
  dryRun: "say what would be revoked, and revoke nothing",
  asks: true,
  json: { shape: keyShape, example: keyExample },
  async run({ id, reason, dryRun }, { store: open, confirm }) {
    const store = await open();
    const register = new CredentialRegister(store.table("Credentials"));
    const row = rowIn(await readCredentialRows(store), id);
    const lastUse = await lastUseOf(store, row);
    const isRevoked = row.credential?.revokedAt !== undefined;
    if (!isRevoked) await confirm(`Revoke ${nameOfRow(row)}, ${lastUseText(lastUse)}, for good?`);
    const isChanged = !isRevoked && !dryRun;
    const why = async () => ({
      revokedBy: await actorOf(store),
      ...(reason !== undefined && { revokedReason: reason }),
    });
    const revoked = isChanged ? await register.revoke(row.id, systemClock(), await why()) : row;
    return {
      audit: isChanged ? { target: `key ${shortCredentialId(row.id)}` } : undefined,
      json: keyOf(requireRow(revoked, id), lastUse, systemClock()),
      text: describe(row, lastUse, dryRun),
    };
  },
});
