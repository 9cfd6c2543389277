import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { type Authenticate, invalidCredentials, type Principal } from "../principal.ts";
import type { AcceptedSets, EvidenceKind } from "./accepted-sets.ts";

/** One kind of credential: whether a request carries it, and the proof of it. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** Whether the caller offers this kind at all, be it good or bad. */
  isPresented(request: HttpRequest): boolean;
  readonly authenticate: Authenticate<HttpRequest>;
}

/**
 * Proves a caller by whatever it presents. Every credential that is presented must be valid, whether it is needed or
 * not, so that a bad one is never outvoted by a good one; all must name one owner; and what was presented must cover
 * one of the accepted sets. The scopes are those that every one of them grants.
 */
export function anyOf(evidence: readonly Evidence[], accepted: AcceptedSets): Authenticate<HttpRequest> {
  return async (request) => {
    const presented = evidence.filter((one) => one.isPresented(request));
    const kinds = presented.map(({ kind }) => kind);
    const judged = await Promise.allSettled(presented.map((one) => one.authenticate(request)));
    const principals = judged.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    if (principals.length < judged.length) throw refusalOf(judged);
    if (!accepted.some((set) => set.every((kind) => kinds.includes(kind)))) {
      throw invalidCredentials("no accepted set of credentials");
    }
    return agree(principals);
  };
}

/** An invalid credential decides, even while another could not be looked up: no later reading would make it valid. */
function refusalOf(judged: readonly PromiseSettledResult<Principal>[]): unknown {
  const reasons = judged.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const invalid = reasons.find((one) => one instanceof Failure && one.code === "invalid_credentials");
  return invalid ?? reasons[0];
}

/** What several proofs agree on. @throws {Failure} `invalid_credentials` when they name different owners, or none is there. */
export function agree(principals: readonly Principal[]): Principal {
  const [first, ...others] = principals;
  if (first === undefined) throw invalidCredentials("no credentials");
  if (others.some(({ owner }) => owner !== first.owner)) throw invalidCredentials("owners that differ");
  const scopes = first.scopes.filter((scope) => others.every((other) => other.scopes.includes(scope)));
  return { owner: first.owner, scopes };
}
