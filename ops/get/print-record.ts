import type { Command } from "commander";
import type { ErrorBody } from "../../client/src/index.ts";
import { exitCodes } from "../../local/process/operator-error.ts";
import { addJsonOption, printJson, RawJson, rawJson } from "../terminal/json-output.ts";
import { terminalText } from "../terminal/terminal-text.ts";
import { explained, isMissing } from "./failures.ts";
import { prettyJson } from "./json-text.ts";

/** The option of a command that prints a record. */
export interface RecordOptions {
  readonly json?: true;
}

/** Adds `--json` to a command that prints a record: the bytes that the service sent, also on a terminal. */
export const addRecordOption = (command: Command): Command => addJsonOption(command, rawJson);

/**
 * Prints a record: on a terminal over several lines, with the characters escaped that a terminal acts on; elsewhere the
 * bytes that the service sent, and nothing else.
 */
export function printRecord(body: string, { json }: RecordOptions = {}): void {
  if (json === true) {
    printJson(rawJson, new RawJson(body));
    return;
  }
  const text = process.stdout.isTTY ? `${prettyJson(body).split("\n").map(terminalText).join("\n")}\n` : body;
  process.stdout.write(text);
}

/** An answer without a record, in words: `410 gone: The pass is gone for good. (error_id …)`. */
export function refusalText(status: number, body: string): string {
  try {
    const { code, message, error_id: errorId } = JSON.parse(body) as Partial<ErrorBody>;
    return terminalText(`${status} ${code}: ${message} (error_id ${errorId})`);
  } catch {
    return `${status}: an answer that is not the service's.`;
  }
}

/**
 * Asks for one record. A record that is not there is told on standard error, and ends the command with its exit code.
 *
 * @throws {OperatorError} for any other failure.
 */
export async function askForRecord(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isMissing(error)) throw explained(error);
    console.error(terminalText(error.message));
    process.exitCode = exitCodes.someRefused;
  }
}
