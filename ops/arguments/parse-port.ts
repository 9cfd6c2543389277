import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { wholeNumber } from "./parse-count.ts";

/** A port to open; 0 is any free one. */
export const parsePort = wholeNumber(0, 65_535);

/** The error of a server that cannot listen on the port of --port. */
export function portFault(error: unknown, port: number): OperatorError {
  const code = codeOf(error);
  const way =
    code === "EADDRINUSE"
      ? "is taken: stop the program that uses it, or choose"
      : `cannot be opened (${code}): choose`;
  return new OperatorError(`Port ${port} ${way} another with --port, 0 for any free one.`, error);
}
