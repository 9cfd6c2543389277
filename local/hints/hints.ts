import type { Brand } from "../../lib/brand.ts";
import type { Exchange } from "../gateway/exchange.ts";
import type { HostRule } from "../gateway/host-rule.ts";
import { commands } from "../installation.ts";
import { deprecationHints } from "./deprecation-hints.ts";
import { headerHints } from "./header-hints.ts";
import { hostHints } from "./host-hints.ts";
import { queryHints } from "./query-hints.ts";
import { refusalHints } from "./refusal-hints.ts";
import { contractOf, type Hint } from "./request-seen.ts";
import { routeHints } from "./route-hints.ts";

/** The header of the local gateway's answers that carries a hint; one header for each hint. */
export const WARNING_HEADER = "x-local-warning";

const HINTS: readonly Hint[] = [
  hostHints,
  queryHints,
  headerHints,
  refusalHints,
  deprecationHints,
  routeHints,
];
const HINTS_MAX = 5;
const LENGTH_MAX = 700;

/** What hints depend on beside the exchange. */
export interface HintParts {
  readonly brand: Brand;
  /** Whether commands find the data directory without an option. */
  readonly isDefaultData: boolean;
  /** Where a caller finds credentials that are valid here, if no command tells. */
  readonly credentialsIn?: string;
  /** The hosts that requests may name. */
  readonly isOwnHost: HostRule;
}

/** Hints for the caller, at most five. Each is one line of printable ASCII that repeats no credential. */
export function hintsFor(exchange: Exchange, { isDefaultData, ...parts }: HintParts): readonly string[] {
  const contract = contractOf(exchange);
  const dataNote = isDefaultData ? "" : `, with the --data of ${commands.start}`;
  const seen = { ...parts, exchange, dataNote, ...(contract !== undefined && { contract }) };
  return HINTS.flatMap((hint) => hint(seen))
    .slice(0, HINTS_MAX)
    .map((text) => text.slice(0, LENGTH_MAX));
}
