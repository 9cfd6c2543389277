import { systemClock } from "../../lib/clock.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { explainStoreFault } from "../store/store-faults.ts";
import { actorOf } from "./actor.ts";
import { type AuditLine, AuditRegister, type ChangeOutcome, newAt } from "./audit-register.ts";

/** A change to a store, as the audit tells of it. */
export interface Change extends Pick<AuditLine, "command" | "target" | "reason" | "counts"> {
  /** `done` when not given. */
  readonly outcome?: ChangeOutcome;
}

/** What is known of a change once it is over. */
export type ChangeReport = Pick<Change, "outcome" | "counts">;

/**
 * Writes the audit's line of a change that was made. A dry run, and a command that changed nothing, write none.
 *
 * @param began what the line of its beginning is called, if there is one.
 * @throws {OperatorError} when the line could not be written. It says what was done, and that the audit lacks it; the
 *   change stays.
 */
export async function recordChange(store: OperatorStore, change: Change, began?: string): Promise<void> {
  try {
    await write(store, change, began);
  } catch (error) {
    const { command, target, outcome = "done" } = change;
    const kept = `The audit lacks this line: ${command}, ${target}, ${outcome}. What was done stays.`;
    throw new OperatorError(`${kept} ${problemOf(store, error)}`, error);
  }
}

/**
 * Writes the line that a change begins.
 *
 * @returns what writes its other line, once the change is over. It throws as `recordChange` does.
 * @throws {OperatorError} when the line could not be written; the change must not be begun then.
 */
export async function beginChange(store: OperatorStore, change: Change): Promise<EndChange> {
  const began = await write(store, { ...change, outcome: "begun" }).catch((error: unknown) => {
    const message = `Nothing was changed, because the audit could not be written. ${problemOf(store, error)}`;
    throw new OperatorError(message, error);
  });
  return (report) => recordChange(store, { ...change, ...report }, began);
}

/** Writes the line of a change that is over; it is `done` unless the report says otherwise. */
export type EndChange = (report?: ChangeReport) => Promise<void>;

/**
 * Makes a change that takes long or cannot be taken back, and writes two lines of it: one before it begins, so that a
 * crash leaves a trace, and one at its end. A change that throws is recorded as `failed`, and its error is thrown.
 *
 * @param reportOf says how it ended, from the result of the work; it is `done` when not given.
 * @throws {OperatorError} when a line could not be written: before the change, which then is not begun, or after it.
 */
export async function audited<Result>(
  store: OperatorStore,
  change: Change,
  work: () => Promise<Result>,
  reportOf: (result: Result) => ChangeReport = () => ({}),
): Promise<Result> {
  const end = await beginChange(store, change);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    // The fault of the work is the one to act on.
    await end({ outcome: "failed" }).catch(({ message }: OperatorError) => console.error(message));
    throw error;
  }
  await end(reportOf(result));
  return result;
}

/** Writes one line. @returns its `at`. */
async function write(store: OperatorStore, change: Change, began?: string): Promise<string> {
  const { command, target, reason, outcome = "done", counts } = change;
  const line: AuditLine = {
    at: newAt(systemClock()),
    actor: await actorOf(store),
    command,
    target,
    ...(reason !== undefined && { reason }),
    outcome,
    ...(counts !== undefined && { counts }),
    ...(began !== undefined && { began }),
  };
  await new AuditRegister(store.table("Audit")).add(line);
  return line.at;
}

const problemOf = (store: OperatorStore, error: unknown): string => {
  const explained = explainStoreFault(error, store.name, store.aws !== undefined);
  // The message of another error may quote a record.
  return explained instanceof OperatorError ? explained.message : `(${nameOf(error)})`;
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
