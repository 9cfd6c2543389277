import { OperatorError } from "../../local/process/operator-error.ts";
import { askWhether, canAsk } from "../terminal/ask.ts";
import { terminalText } from "../terminal/terminal-text.ts";

/** The owner of all records of a file, and whether the operator said that it may be new. */
export interface Newcomer {
  /** `business` or `partner`. */
  readonly kind: string;
  readonly id: string;
  readonly hasRecords: () => Promise<boolean>;
  /** Whether `--new` was given. */
  readonly isExpected: boolean;
  /** Whether nothing will be stored. */
  readonly isRehearsal: boolean;
  /** Whether the records come from standard input, so that no question can be answered there. */
  readonly isInputTaken: boolean;
}

/**
 * Announces an owner that has no records yet: its name may be misspelt. A person
 * at a terminal is asked for a yes; a script has to give `--new`.
 *
 * @throws {OperatorError} when the owner is not confirmed.
 */
export async function announceNewcomer(newcomer: Newcomer): Promise<void> {
  if (await newcomer.hasRecords()) return;
  const news = `The ${newcomer.kind} ${terminalText(JSON.stringify(newcomer.id))} has no records yet: these would be its first.`;
  if (newcomer.isExpected || newcomer.isRehearsal) {
    console.error(news);
    return;
  }
  if (newcomer.isInputTaken || !canAsk())
    throw new OperatorError(`${news} Nothing was stored. Check the name, or give --new.`);
  console.error(news);
  if (!(await askWhether("Is that right?"))) throw new OperatorError("Nothing was stored.");
}
