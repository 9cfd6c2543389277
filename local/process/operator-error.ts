import { ownMember } from "../../lib/own-member.ts";

/** The exit codes of the command line, for scripts that call it. Each command's help lists the codes that it uses. */
export const exitCodes = {
  done: 0,
  /** The command ran to its end and refused some records, found faults, or found no such record. */
  someRefused: 1,
  /** The command could not do its work, because of its arguments, a file, a store or missing credentials; so of a start. */
  failed: 2,
  /** Stopped by Ctrl-C, after the writes in flight had finished. */
  interrupted: 130,
} as const;

/**
 * An error that the operator can act on. The message is one line that says what was wrong and what to do. Only that
 * line is printed, unless DEBUG is set, which prints the stack and the cause as well.
 */
export class OperatorError extends Error {
  override readonly name: string = "OperatorError";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a directory",
};

/** Why a file cannot be read, to follow its name and a colon. */
export const fileProblem = (error: unknown): string =>
  ownMember(FILE_PROBLEMS, codeOf(error)) ?? codeOf(error);

/** The code of a system error, such as ENOENT, or the message of an error that has no code. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
