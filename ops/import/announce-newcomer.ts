import { ownMember } from "../../lib/own-member.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type DocumentKind, documentKinds } from "../../local/records/document-kinds.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { askWhether, canAsk } from "../terminal/ask.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import type { RecordFile } from "./read-file.ts";

/** A file of records to import or send, as the command line asks for it. */
export interface FileOrder {
  readonly file: RecordFile;
  /** The name of the records' kind. */
  readonly kind: string;
  /** The business or partner, or the market's symbol; absent for records without one. */
  readonly owner?: string | undefined;
  /** Whether the owner may be one that has no records yet. */
  readonly isNewExpected: boolean;
  /** Whether nothing is stored or sent. */
  readonly isRehearsal: boolean;
  /** Whether the closing report is JSON. */
  readonly json: boolean;
}

/**
 * Announces the owner of a file's records if it has none yet: its name may be misspelt. A person at a terminal is asked
 * for a yes; a script has to give `--new`.
 *
 * @throws {OperatorError} when the owner is not confirmed.
 */
export async function announceNewcomer(store: OperatorStore, order: FileOrder): Promise<void> {
  const { owner, file, isNewExpected, isRehearsal } = order;
  const kind = ownMember<DocumentKind>(documentKinds, order.kind);
  if (owner === undefined || kind?.owner === undefined) return;
  if (await kind.owner.hasRecords(store.table(kind.table), owner)) return;
  const news = `The ${kind.owner.kind} ${terminalText(JSON.stringify(owner))} has no records yet: these would be its first.`;
  // Where the records come from standard input, no question can be answered there.
  const isAsked = !isNewExpected && !isRehearsal;
  if (isAsked && (file.path === "-" || !canAsk()))
    throw new OperatorError(`${news} Nothing was stored. Check the name, or give --new.`);
  console.error(news);
  if (isAsked && !(await askWhether("Is that right?"))) throw new OperatorError("Nothing was stored.");
}
