import { endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { type Exchange, readableTarget } from "../gateway/exchange.ts";
import type { HostRule } from "../gateway/host-rule.ts";
import { readQuery } from "../gateway/request-target.ts";
import { commands } from "../installation.ts";
import { headerHints } from "./header-hints.ts";
import { refusalHints } from "./refusal-hints.ts";
import { contractOf, type Hint, shownName } from "./request-seen.ts";

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

const HINTS_MAX = 5;
const LENGTH_MAX = 700;

/** What hints depend on beside the exchange. */
export interface HintParts {
  readonly brand: Brand;
  /** Whether commands find the data directory without an option. */
  readonly isDefaultData: boolean;
  /** Where a caller finds credentials that are valid here, if no command tells. */
  readonly credentialsIn?: string | undefined;
  /** The hosts that requests may name. */
  readonly isOwnHost: HostRule;
}

/** Hints for the caller, at most five. Each is one line of printable ASCII that repeats no credential. */
export function hintsFor(
  exchange: Exchange,
  { brand, credentialsIn, isDefaultData, isOwnHost }: HintParts,
): readonly string[] {
  const dataNote = isDefaultData ? "" : `, with the --data of ${commands.start}`;
  const seen = { exchange, contract: contractOf(exchange), brand, dataNote, credentialsIn, isOwnHost };
  return HINTS.flatMap((hint) => hint(seen))
    .slice(0, HINTS_MAX)
    .map((text) => text.slice(0, LENGTH_MAX));
}

/** Names the query parameters that an endpoint ignoredParameter. A list refuses them itself, and names them in its answer. */
const queryHints: Hint = ({ exchange, contract }) => {
  const target = readableTarget(exchange);
  if (contract === undefined || target === undefined || contract.refusesUnknown === true) return [];
  const known = Object.keys(contract.query.shape);
  return Object.keys(readQuery(target.rawQuery) ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => ignoredParameter(name, known));
};

function ignoredParameter(name: string, known: readonly string[]): string {
  const shown = shownName(name);
  const which = shown === undefined ? "A query parameter" : `The query parameter ${shown}`;
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `${which} was ignored; did you mean "${nearest}"?`;
  return `${which} was ignored; this endpoint takes ${known.length === 0 ? "none" : known.join(", ")}.`;
}

const DAY_LENGTH = "2026-07-01".length;
/** The target of a link with the relation `successor-version`, as the service writes it. */
const SUCCESSOR = /^<([\x21-\x7e]+)>; rel="successor-version"$/;

/** Says which deprecated form a request used (RFC 9745), until when it works (RFC 8594), and what replaces it. */
const deprecationHints: Hint = ({ exchange: { response, target }, contract }) => {
  const { deprecation, sunset, link } = headersOf(response.headers);
  if (contract === undefined || deprecation === undefined || typeof target === "string") return [];
  const since = dayOf(Number(deprecation.slice(1)) * 1_000);
  const until = sunset === undefined ? "" : ` and ends ${dayOf(Date.parse(sunset))}`;
  const successor = SUCCESSOR.exec(link ?? "")?.[1];
  const instead = successor === undefined ? "" : `; use ${successor} instead`;
  const known = Object.keys(contract.query.shape);
  const names = Object.keys(readQuery(target.rawQuery) ?? {}).filter((name) => known.includes(name));
  return [`The use of ${names.join(", ")} is deprecated since ${since}${until}${instead}.`];
};

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, DAY_LENGTH);

const headersOf = (headers: Readonly<Record<string, string | string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

const HINTS: readonly Hint[] = [
  hostHints,
  queryHints,
  headerHints,
  refusalHints,
  deprecationHints,
  routeHints,
];
