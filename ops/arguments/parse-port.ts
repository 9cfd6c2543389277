import { InvalidArgumentError } from "commander";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";

const PORT_MAX = 65_535;

/** A port to open; 0 is any free one. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`It must be a number from 0 to ${PORT_MAX}.`);
}

/** The error of a server that cannot listen on the port of --port. */
export function portFault(error: unknown, port: number): OperatorError {
  const code = codeOf(error);
  const way =
    code === "EADDRINUSE"
      ? "is taken: stop the program that uses it, or choose"
      : `cannot be opened (${code}): choose`;
  return new OperatorError(`Port ${port} ${way} another with --port, 0 for any free one.`, error);
}
