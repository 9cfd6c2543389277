import type { Brand } from "../lib/brand.ts";
import type { Companion } from "./gateway/exchange.ts";
import { hintsFor, WARNING_HEADER } from "./hints/hints.ts";
import type { RequestReport } from "./log/request-line.ts";

export interface CompanionParts {
  readonly brand: Brand;
  /** Receives each request with its answer, before the answer is sent. */
  readonly answered: (report: RequestReport) => void;
}

/** The helpers that `npm start` adds to the gateway: they explain answers, and change nothing but headers. */
export function createCompanion({ brand, answered }: CompanionParts): Companion {
  return (exchange) => {
    const hints = hintsFor(exchange, brand);
    answered({ exchange, hints });
    return hints.length === 0 ? {} : { [WARNING_HEADER]: [...hints] };
  };
}
