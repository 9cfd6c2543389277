import { askWhether, canAsk } from "../terminal/ask.ts";
import { OperatorError } from "../terminal/operator-error.ts";

/** The owner of all records of a file, and whether the operator said that it may be new. */
export interface Newcomer {
  /** What it is: a business or a partner. */
  readonly kind: string;
  readonly id: string;
  readonly hasRecords: () => Promise<boolean>;
  /** `--new` was given. */
  readonly isExpected: boolean;
  /** Nothing will be stored. */
  readonly isRehearsal: boolean;
  /** The records come from standard input, so nobody can be asked there. */
  readonly isInputTaken: boolean;
}

/**
 * Tells of an owner that has no records yet, because a name with a letter wrong looks just like it, and what is stored for
 * it cannot be taken back: a person at a terminal is asked, a script has to say so beforehand.
 *
 * @throws {OperatorError} unless it is meant.
 */
export async function announceNewcomer(newcomer: Newcomer): Promise<void> {
  if (await newcomer.hasRecords()) return;
  const news = `The ${newcomer.kind} ${JSON.stringify(newcomer.id)} has no records yet: these would be its first.`;
  if (newcomer.isExpected || newcomer.isRehearsal) {
    console.error(news);
    return;
  }
  if (newcomer.isInputTaken || !canAsk())
    throw new OperatorError(`${news} Nothing was stored. Check the name, or say --new.`);
  console.error(news);
  if (!(await askWhether("Is that right?"))) throw new OperatorError("Nothing was stored.");
}
