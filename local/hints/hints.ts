import { requestHeadersOf } from "../../infra/cors-headers.ts";
import { endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import type { ErrorCode } from "../../lib/errors.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { type Exchange, readableTarget } from "../gateway/exchange.ts";
import { readQuery } from "../gateway/request-target.ts";
import { shownTarget } from "../http/shown-target.ts";
import { commands } from "../installation.ts";
import {
  contractOf,
  credentialHeaders,
  errorBodyOf,
  type Hint,
  type HintParts,
  missingHeaders,
  type RequestSeen,
  shownName,
} from "./request-seen.ts";

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

/** The routes, each with the form of paths that mean it: in any case, and without the value of its last parameter. */
const routeForms = endpoints.map(({ contract: { route } }) => {
  const form = route.replaceAll(".", "[.]").replace(/\/\{\w+\}$/, "(?:/([^/]*))?");
  return { route, parameter: /\{(\w+)\}$/.exec(route)?.[1], form: new RegExp(`^${form}$`, "i") };
});

/** Says why the gateway itself answered 404. */
const routeHints: Hint = ({ exchange: { response, match, target, method }, brand: { basePath } }) => {
  if (response.statusCode !== NOT_FOUND || match !== undefined || target === "unreadable") return [];
  if (target === "outside") return basePath === "" ? [] : [`The API is served under ${basePath} only.`];
  if (!methods.has(method)) return [`Endpoints answer ${[...methods].join(", ")} only, as on AWS.`];
  const { path } = target;
  const meant = routeForms.find(({ form }) => form.test(path));
  if (meant !== undefined) return [meantRoute(meant, path, basePath)];
  if (path.endsWith("/") && routeForms.some(({ form }) => form.test(path.slice(0, -1))))
    return ["No route ends with a slash; leave the last one out."];
  return [`No route has this path. Routes: ${routeForms.map(({ route }) => basePath + route).join(", ")}.`];
};

function meantRoute(
  { route, parameter, form }: (typeof routeForms)[number],
  path: string,
  basePath: string,
): string {
  const isGiven = parameter === undefined || Boolean(form.exec(path)?.[1]);
  const slip = isGiven ? "Paths are case-sensitive" : `The ${parameter} is missing`;
  return `${slip}: the route is ${basePath}${route}.`;
}

const HINTS_MAX = 5;
const LENGTH_MAX = 700;

/** Hints for the caller, at most five. Each is one line of printable ASCII that repeats no credential. */
export function hintsFor(exchange: Exchange, parts: HintParts): readonly string[] {
  const seen = { ...parts, exchange, contract: contractOf(exchange) };
  return HINTS.flatMap((hint) => hint(seen))
    .slice(0, HINTS_MAX)
    .map((text) => text.slice(0, LENGTH_MAX));
}

/** Names the query parameters that an endpoint ignores. A list refuses them itself, and names them in its answer. */
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

/**
 * Names the headers that no endpoint reads and that look like a misspelt one, and those that look like a credential of
 * this endpoint under another prefix.
 */
const headerHints: Hint = ({ exchange: { headers }, contract, brand }) => {
  if (contract === undefined) return [];
  const meantBy = meaningsOf(brand);
  const missing = missingHeaders(credentialHeaders(contract, brand), headers);
  return Object.keys(headers).flatMap((name) => {
    const meant = underOtherPrefix(name, missing) ?? meantBy(name);
    return meant === undefined ? [] : ignored(name, meant);
  });
};

const ignored = (name: string, meant: string): string =>
  `The header ${shownName(name) ?? "with a name like it"} was ignored; did you mean ${meant}?`;

/** Names of headers whose meaning is remembered. Callers send the same few again and again. */
const NAMES_MAX = 500;

type MeantBy = (name: string) => string | undefined;

const meanings = new WeakMap<Brand, MeantBy>();

/** The header that a name most likely means; undefined for a known name, and for one that is like none. */
function meaningsOf(brand: Brand): MeantBy {
  const found = meanings.get(brand) ?? rememberedMeanings(requestHeadersOf({ brand }));
  meanings.set(brand, found);
  return found;
}

function rememberedMeanings(known: readonly string[]): MeantBy {
  const names = new Set(known.map((name) => name.toLowerCase()));
  const judged = new RecentMap<string, { readonly meant: string | undefined }>(NAMES_MAX);
  return (name) => {
    const before = judged.get(name);
    if (before !== undefined) return before.meant;
    const meant = names.has(name) ? undefined : nearestName(name, known);
    judged.set(name, { meant });
    return meant;
  };
}

/** The last words of a credential's header: its name without a prefix. */
const LAST_WORDS = /(?:api-?key|timestamp|signature)$/;

function underOtherPrefix(name: string, missing: readonly string[]): string | undefined {
  const words = LAST_WORDS.exec(name)?.[0].replace("-", "");
  if (words === undefined) return undefined;
  return missing.find((one) => one.toLowerCase().replaceAll("-", "").endsWith(words));
}

const REFUSED: ErrorCode = "invalid_credentials";

/** Says after a 401 which header is missing, or which command tells or replaces what was wrong. */
const refusalHints: Hint = (seen) => {
  const { exchange, contract, brand } = seen;
  const error = errorBodyOf(exchange.response);
  if (contract === undefined || error?.code !== REFUSED) return [];
  const missing = missingHeaders(credentialHeaders(contract, brand), exchange.headers);
  if (missing.length > 0 && !hasOtherCredential(seen))
    return [`The request lacks the header${missing.length > 1 ? "s" : ""} ${missing.join(", ")}.`];
  const { credentialsIn } = seen;
  if (credentialsIn !== undefined) return [`The credentials that are valid here are in ${credentialsIn}.`];
  return [REMEDIES[contract.scheme](seen, error.timestamp)];
};

/** Whether a request carries a credential that an endpoint takes in place of a token (decision 16). */
const hasOtherCredential = ({ exchange: { headers, clientCert } }: RequestSeen): boolean =>
  "jws-signature" in headers || clientCert !== undefined;

const REMEDIES: Readonly<
  Record<EndpointContract["scheme"], (seen: RequestSeen, answeredAtMs: number) => string>
> = {
  Signature: explainCommand,
  Bearer: (seen) =>
    `To see requests whose credentials are valid here, run${dataNote(seen)}: ${commands.quietOps} demo curl (demo.json of the data directory has the credentials).`,
  ApiKey: (seen) => `To see the keys that are in force, run${dataNote(seen)}: ${commands.quietOps} keys list`,
};

/** How a command finds the data directory, where it does not do so by itself. */
const dataNote = ({ isDefaultData }: RequestSeen): string =>
  isDefaultData ? "" : `, with the --data of ${commands.start}`;

/** The values of the headers are left out: the caller has them, and a signature is a credential while it is fresh. */
function explainCommand(seen: RequestSeen, answeredAtMs: number): string {
  const names = credentialHeaders({ scheme: "Signature" }, seen.brand);
  const headers = names.map((name) => `-H '${name}: ...'`).join(" ");
  const url = signedUrl(seen);
  return `To learn what was wrong with the signature, run${dataNote(seen)}: ${commands.quietOps} sign ${seen.exchange.method} ${url} --explain ${headers} --judged-at ${answeredAtMs}`;
}

const URL_MAX = 200;
/** Characters that stand for themselves between single quotes, in every shell. */
const PLAIN = /^[\x21\x23-\x26\x28-\x7e]+$/;

/** The URL of a signed request for the command line; a placeholder where the URL is long or may have a credential in it. */
function signedUrl({ exchange, contract }: RequestSeen): string {
  const known = Object.keys(contract?.query.shape ?? {});
  const names = Object.keys(readQuery(readableTarget(exchange)?.rawQuery ?? "") ?? {});
  const { sentTarget } = exchange;
  const url = `http://${exchange.headers.host ?? ""}${sentTarget}`;
  const isExpected = names.every((name) => known.includes(name)) && shownTarget(sentTarget) === sentTarget;
  const isShown = isExpected && PLAIN.test(url) && url.length <= URL_MAX;
  return isShown ? `'${url}'` : "URL";
}

const HINTS: readonly Hint[] = [
  hostHints,
  queryHints,
  headerHints,
  refusalHints,
  deprecationHints,
  routeHints,
];
