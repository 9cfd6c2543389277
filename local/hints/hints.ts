import { endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import type { Exchange } from "../gateway/exchange.ts";
import type { HostRule } from "../gateway/host-rule.ts";
import { commands } from "../installation.ts";
import { deprecationHints } from "./deprecation-hints.ts";
import { headerHints } from "./header-hints.ts";
import { queryHints } from "./query-hints.ts";
import { refusalHints } from "./refusal-hints.ts";
import { contractOf, type Hint } from "./request-seen.ts";
import { shownName } from "./shown-name.ts";

/** The header of the local gateway's answers that carries a hint; one header for each hint. */
export const WARNING_HEADER = "x-local-warning";

/** Says how to answer under a name that was refused, to a person who gave this machine the name. */
const hostHints: Hint = ({ exchange: { headers }, isOwnHost }) => {
  const { host = "" } = headers;
  if (isOwnHost(host)) return [];
  const name = shownName(host.replace(/:\d*$/, ""));
  const allowed = name === undefined ? "NAME" : name.slice(1, -1);
  return [
    `The Host ${name ?? "of the request"} is a public name, which any web page may have pointed at this machine. If it is yours, start with: ${commands.startWith} --allow-host ${allowed}`,
  ];
};

const NOT_FOUND = 404;

const methods: ReadonlySet<string> = new Set(endpoints.map(({ contract }) => contract.method));

/** Says why the gateway itself answered 404, where the reason is a common slip. */
const routeHints: Hint = ({ exchange: { response, match, target, method }, brand: { basePath } }) => {
  if (response.statusCode !== NOT_FOUND || match !== undefined || target === "unreadable") return [];
  if (target === "outside") return basePath === "" ? [] : [`The API is served under ${basePath} only.`];
  if (!methods.has(method)) return [`Endpoints answer ${[...methods].join(", ")} only, as on AWS.`];
  if (target.path.length > 1 && target.path.endsWith("/"))
    return ["No route ends with a slash; leave the last one out."];
  return [];
};

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
