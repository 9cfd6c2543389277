import type { ClientCert } from "./client-cert.ts";
import type { RequestTarget, TargetReading } from "./request-target.ts";
import type { GatewayResponse } from "./response.ts";
import type { RouteMatch } from "./route.ts";

/** A request and the gateway's answer to it. */
export interface Exchange {
  /** The gateway's id of the request. */
  readonly requestId: string;
  readonly receivedAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly sentTarget: string;
  /** Path and query as the gateway read them. */
  readonly target: TargetReading;
  /** By lower-case name, repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's certificate; absent on a connection that did not ask for one. */
  readonly clientCert?: ClientCert;
  /** The route that owns the request; absent when there is none. */
  readonly match?: RouteMatch;
  readonly response: GatewayResponse;
}

/**
 * Looks at each exchange before its answer is sent, and returns headers for the answer. A deployment has none, so these
 * headers are the only difference to its answers.
 */
export type Companion = (exchange: Exchange) => Readonly<Record<string, string | string[]>>;

/** The path and query of an exchange; undefined for a target that the gateway could not read, or outside the API. */
export const readableTarget = ({ target }: Exchange): RequestTarget | undefined =>
  typeof target === "string" ? undefined : target;

/** An answer with headers added, which a browser shows its program where it shows the answer. */
export function withHeaders(
  response: GatewayResponse,
  added: Readonly<Record<string, string | string[]>>,
): GatewayResponse {
  const names = Object.keys(added);
  const exposed = [response.headers[EXPOSE] ?? [], names].flat();
  const isShown = names.length > 0 && "access-control-allow-origin" in response.headers;
  return {
    ...response,
    headers: { ...response.headers, ...added, ...(isShown && { [EXPOSE]: exposed.join(",") }) },
  };
}

const EXPOSE = "access-control-expose-headers";
