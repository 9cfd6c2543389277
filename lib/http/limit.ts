import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { EndpointContract } from "./contract.ts";
import { type Invocation, requireAdmitted } from "./invocation.ts";
import type { HttpResponse } from "./respond.ts";

/** Counts what owners spend. `headers` say what is left; `waitMs` is 0 when the request was charged. */
export interface Limiter {
  charge(
    owner: string,
    cost: number,
  ): Promise<{ readonly waitMs: number; readonly headers: Readonly<Record<string, string>> }>;
  headersOf(owner: string | undefined): Readonly<Record<string, string>>;
}

/** The limiter of a contract that names a limit. @throws {Error} when only one of the two is there. */
export function limiterOf(contract: EndpointContract, limiter: Limiter | undefined): Limiter | undefined {
  if ((contract.limit === undefined) === (limiter === undefined)) return limiter;
  throw new Error(`${contract.name} has a limit or a limiter, but not both.`);
}

/** @throws {Failure} `rate_limited` when the caller's tokens do not pay for the request, which then cost nothing. */
export async function chargeOwner(
  invocation: Invocation,
  {
    contract,
    limiter,
    clock,
  }: { readonly contract: EndpointContract; readonly limiter?: Limiter; readonly clock: Clock },
): Promise<void> {
  if (limiter === undefined || contract.limit === undefined) return;
  const { principal, parameters } = requireAdmitted(invocation);
  const cost = contract.limit.cost(parameters.query, clock());
  const { waitMs, headers } = await limiter.charge(principal.owner, cost);
  invocation.limitHeaders = headers;
  if (waitMs > 0)
    throw new Failure("rate_limited", `The rate limit is used up: wait ${waitMs} ms.`, {
      retryAfterMs: waitMs,
    });
}

/** Says what is left on an answer of any status: as it was decided, else as far as it is known. */
export function tellLimit(
  invocation: Invocation,
  response: HttpResponse | null | undefined,
  limiter: Limiter | undefined,
): void {
  if (!response || limiter === undefined) return;
  Object.assign(response.headers, invocation.limitHeaders ?? limiter.headersOf(invocation.principal?.owner));
}
