import { InvalidArgumentError } from "commander";

const PORT_MAX = 65_535;

/** A port to open; 0 is any free one. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError(`It must be a number from 0 to ${PORT_MAX}.`);
}
