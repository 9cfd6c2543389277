import { endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { isMembers, parsedJson } from "../../lib/json-value.ts";
import type { Exchange } from "../gateway/exchange.ts";
import type { HostRule } from "../gateway/host-rule.ts";
import type { GatewayResponse } from "../gateway/response.ts";

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

/** An exchange, with the contract of the endpoint that it asked. */
export interface RequestSeen extends HintParts {
  readonly exchange: Exchange;
  /** Absent where no endpoint was asked. */
  readonly contract: EndpointContract | undefined;
}

/** Hints for the caller of one request: whole sentences in ASCII, without control characters and without secrets. */
export type Hint = (seen: RequestSeen) => readonly string[];

const contracts: ReadonlyMap<string, EndpointContract> = new Map(
  endpoints.map(({ contract }) => [`${contract.method} ${contract.route}`, contract]),
);

/** The contract of the endpoint that an exchange asked; undefined where there is none. */
export const contractOf = ({ match }: Pick<Exchange, "match">): EndpointContract | undefined =>
  match === undefined ? undefined : contracts.get(match.route.routeKey);

/** A name of a parameter or header that is short and plain. A longer one may be a credential in the wrong place. */
const SHOWABLE = /^[A-Za-z0-9_.[\]-]{1,32}$/;

/** A caller's name, quoted for a hint; undefined for one that a hint must not repeat. */
export const shownName = (name: string): string | undefined =>
  SHOWABLE.test(name) ? `"${name}"` : undefined;

/** The headers that carry the credential of each scheme. */
export function credentialHeaders(
  { scheme }: Pick<EndpointContract, "scheme">,
  { headerPrefix }: Pick<Brand, "headerPrefix">,
): readonly string[] {
  if (scheme === "Bearer") return ["Authorization"];
  if (scheme === "ApiKey") return ["X-API-KEY"];
  return ["API-Key", "Timestamp", "Signature"].map((name) => `${headerPrefix}${name}`);
}

/** Those of the names that a request lacks. */
export const missingHeaders = (
  names: readonly string[],
  given: Readonly<Record<string, string>>,
): readonly string[] => names.filter((name) => !Object.hasOwn(given, name.toLowerCase()));

/** The members of an error body of a function (decision 1) that helpers read. */
interface ErrorBody {
  readonly code: string;
  readonly errorId: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly message: string;
}

/** An error body is short and never compressed; a record may be long, and is not parsed. */
const ERROR_BYTES_MAX = 4_096;

/** The error body of a function's answer; undefined for any other answer, such as one of the gateway's own. */
export function errorBodyOf({ statusCode, body }: GatewayResponse): ErrorBody | undefined {
  if (statusCode < 400 || body === undefined || body.length > ERROR_BYTES_MAX) return undefined;
  const document = parsedJson(body.toString());
  const { code, error_id: errorId, timestamp, message } = isMembers(document) ? document : {};
  if (typeof code !== "string" || typeof errorId !== "string") return undefined;
  return {
    code,
    errorId,
    timestamp: typeof timestamp === "number" ? timestamp : Number.NaN,
    message: typeof message === "string" ? message : "",
  };
}
