import type { Brand } from "../lib/brand.ts";
import type { Companion } from "./gateway/exchange.ts";
import { hintsFor, WARNING_HEADER } from "./hints/hints.ts";

export interface CompanionParts {
  readonly brand: Brand;
  /** Receives lines for the person at the terminal. */
  readonly log: (name: string, line: string) => void;
}

/** The helpers that `npm start` adds to the gateway: they explain answers, and change nothing but headers. */
export function createCompanion({ brand, log }: CompanionParts): Companion {
  return (exchange) => {
    const hints = hintsFor(exchange, brand);
    for (const hint of hints) log("gateway", `${exchange.requestId} warning: ${hint}`);
    return hints.length === 0 ? {} : { [WARNING_HEADER]: [...hints] };
  };
}
