import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { type Authenticate, invalidCredentials, type Principal } from "../principal.ts";
import type { AcceptedSets, EvidenceKind } from "./accepted-sets.ts";

/** One kind of credential: whether a request carries it, and how it is proved. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** Whether the caller presents this kind at all, valid or not. */
  isPresented(request: HttpRequest): boolean;
  readonly authenticate: Authenticate<HttpRequest>;
}

/**
 * Proves a caller by the credentials that it presents. Every presented credential must be valid, needed or not, so that
 * a valid one never outweighs an invalid one. All must name one owner, and together they must cover one of the accepted
 * sets. The scopes are those that every credential grants.
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

/** An invalid credential decides, even while another could not be looked up: no later lookup would make it valid. */
function refusalOf(judged: readonly PromiseSettledResult<Principal>[]): unknown {
  const reasons = judged.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  const invalid = reasons.find((one) => one instanceof Failure && one.code === "invalid_credentials");
  return invalid ?? reasons[0];
}

/**
 * The principal on which several proofs agree.
 *
 * @throws {Failure} `invalid_credentials` when the proofs name different owners, or there is no proof.
 */
export function agree(principals: readonly Principal[]): Principal {
  const [first, ...others] = principals;
  if (first === undefined) throw invalidCredentials("no credentials");
  if (others.some(({ owner }) => owner !== first.owner))
    throw invalidCredentials("credentials of different owners");
  const scopes = first.scopes.filter((scope) => others.every((other) => other.scopes.includes(scope)));
  const credentials = principals.flatMap((one) => one.credentials ?? []);
  return { owner: first.owner, scopes, ...(credentials.length > 0 && { credentials }) };
}
