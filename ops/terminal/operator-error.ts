/** How the command line ends, for scripts that call it. The help of every command lists the ones it uses. */
export const exitCodes = {
  done: 0,
  /** The command ran to its end, and some records broke their contract and were refused. */
  someRefused: 1,
  /** The command could not do its work: how it was called, a file, a store, or missing credentials. */
  failed: 2,
  /** Stopped by Ctrl-C, after the writes in flight had finished. */
  interrupted: 130,
} as const;

/**
 * Something the operator can act on. The message is one line that names what was wrong and says what to do; it is all
 * that is printed, unless DEBUG asks for the cause.
 */
export class OperatorError extends Error {
  override readonly name = "OperatorError";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The code of an error of the system, such as ENOENT, or its message when it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
