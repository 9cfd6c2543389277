import { Failure } from "./errors.ts";

/** The proven sender of a request. */
export interface Principal {
  /** The owner whose records are served and whose limit is charged: a business, a partner, a trading client. */
  readonly owner: string;
  readonly scopes: readonly string[];
  /** Ids of the registered credentials that proved it. Absent for an access token, which needs no registration. */
  readonly credentials?: readonly string[];
}

/** Proves who sent a request, or throws `invalid_credentials`. */
export type Authenticate<Request> = (request: Request) => Promise<Principal>;

/**
 * The one refusal of credentials that are missing, malformed, unknown, expired or revoked. All look alike, so that a
 * stranger does not learn which of them it was; `why` goes only to the log.
 */
export const invalidCredentials = (why: string): Failure =>
  new Failure("invalid_credentials", "The credentials are missing or not valid.", { cause: why });

/** @throws {Failure} `insufficient_scope` when the principal lacks the scope. */
export function requireScope(principal: Principal, scope: string | undefined): void {
  if (scope === undefined || principal.scopes.includes(scope)) return;
  throw new Failure("insufficient_scope", `The credentials lack the scope ${scope}.`);
}
