import { endpoints } from "../../infra/endpoints.ts";
import type { Brand } from "../../lib/brand.ts";
import type { EndpointContract } from "../../lib/http/contract.ts";
import type { Exchange } from "../gateway/exchange.ts";
import type { HostRule } from "../gateway/host-rule.ts";

/** An exchange, with the contract of the endpoint that it asked. */
export interface RequestSeen {
  readonly exchange: Exchange;
  /** Absent where no endpoint was asked. */
  readonly contract?: EndpointContract;
  readonly brand: Brand;
  /** The end of a sentence that gives a command: empty, or how the command finds the data directory. */
  readonly dataNote: string;
  /** Where a caller finds credentials that are valid here, if no command tells. */
  readonly credentialsIn?: string;
  /** The hosts that requests may name. */
  readonly isOwnHost: HostRule;
}

/** Hints for the caller of one request: whole sentences in ASCII, without control characters and without secrets. */
export type Hint = (seen: RequestSeen) => readonly string[];

const contracts: ReadonlyMap<string, EndpointContract> = new Map(
  endpoints.map(({ contract }) => [`${contract.method} ${contract.route}`, contract]),
);

/** The contract of the endpoint that an exchange asked; undefined where there is none. */
export const contractOf = ({ match }: Pick<Exchange, "match">): EndpointContract | undefined =>
  match === undefined ? undefined : contracts.get(match.route.routeKey);
