import type { Item } from "../dynamo/item.ts";
import { ownMember } from "../own-member.ts";

/** What operators keep beside a credential to tell it from others. No function reads it, and nothing of it is secret. */
export interface CredentialNotes {
  /** One line, such as "payments server". */
  readonly label?: string;
  /** The operator who issued it. */
  readonly createdBy?: string;
  /** The operator who revoked it. */
  readonly revokedBy?: string;
  /** Why it was revoked, or its subject blocked. */
  readonly revokedReason?: string;
  /** The id of the credential that was issued in its place. */
  readonly successor?: string;
}

const ATTRIBUTES: Readonly<Record<keyof CredentialNotes, string>> = {
  label: "label",
  createdBy: "created_by",
  revokedBy: "revoked_by",
  revokedReason: "revoked_reason",
  successor: "successor",
};

const members = Object.entries(ATTRIBUTES) as [keyof CredentialNotes, string][];

/** The notes as attributes of a credential's row. */
export const attributesOfNotes = (notes: CredentialNotes): Item =>
  Object.fromEntries(
    members.flatMap(([member, attribute]) => {
      const text = notes[member];
      return text === undefined ? [] : [[attribute, { S: text }]];
    }),
  );

/** The notes in a row, readable as a credential or not. */
export const notesOf = (item: Item): CredentialNotes =>
  Object.fromEntries(
    members.flatMap(([member, attribute]) => {
      const text = ownMember(item, attribute)?.S;
      return text === undefined ? [] : [[member, text]];
    }),
  );
