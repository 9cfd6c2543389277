import { ownMember } from "../../lib/own-member.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { type DocumentKind, documentKinds } from "../../local/records/document-kinds.ts";
import { parseOwnerId } from "../arguments/parse-owner-id.ts";
import { takes } from "../command.ts";
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
}

const newTakes = (kind: string) =>
  takes({
    "--new": `accept a ${kind} that has no records yet, without asking`,
    "--yes": { text: "", isHidden: true, implies: { new: true } },
  });

/** What names the owner of a file's records, by the name of their kind. */
export const ownerTakes = {
  transactions: takes({
    "--business <id>": {
      text: "the business that the transactions belong to: the `sub` of its tokens",
      parse: parseOwnerId,
      required: true,
    },
    ...newTakes("business"),
  }),
  "sell-orders": takes({
    "--partner <id>": {
      text: "the partner that the orders belong to: the owner of its API keys",
      parse: parseOwnerId,
      required: true,
    },
    ...newTakes("partner"),
  }),
  passes: takes({}),
  markets: takes({}),
} as const;

/** The order of a command on a file, but for its file, by what it was given. */
export function orderOf(given: {
  readonly dryRun: boolean;
}): Pick<FileOrder, "owner" | "isNewExpected" | "isRehearsal"> {
  const { business, partner, new: isNew } = given as { business?: string; partner?: string; new?: boolean };
  return { owner: business ?? partner, isNewExpected: isNew === true, isRehearsal: given.dryRun };
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
