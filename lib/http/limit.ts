import { Failure } from "../errors.ts";
import type { Principal } from "../principal.ts";
import type { Invocation } from "./invocation.ts";
import type { HttpResponse } from "./respond.ts";

/** Charges owners for their requests. `headers` say what is left; `waitMs` is 0 when the request was charged. */
export interface Limiter {
  /** @param credentials ids of the registered credentials that the charge keeps as used today. */
  charge(
    owner: string,
    cost: number,
    credentials?: readonly string[],
  ): Promise<{ readonly waitMs: number; readonly headers: Readonly<Record<string, string>> }>;
  /** The headers as far as this instance knows the owner; for an unknown owner, the policy alone. */
  headersOf(owner: string | undefined): Readonly<Record<string, string>>;
}

/**
 * Charges an owner, and notes the headers and the tokens for the answer and its line.
 *
 * @throws {Failure} `rate_limited` when the owner has too few tokens for the request, which then costs nothing.
 */
export async function chargeOwner(
  invocation: Invocation,
  limiter: Limiter,
  { principal, cost }: { readonly principal: Principal; readonly cost: number },
): Promise<void> {
  const { waitMs, headers } = await limiter.charge(principal.owner, cost, principal.credentials);
  invocation.limitHeaders = headers;
  if (waitMs > 0)
    throw new Failure("rate_limited", `The rate limit is used up: wait ${waitMs} ms.`, {
      retryAfterMs: waitMs,
    });
  invocation.tokensCharged = cost;
}

/** Adds the RateLimit headers to every response: those of this request's charge, else the owner's last known state. */
export function tellLimit(
  invocation: Invocation,
  response: HttpResponse | null | undefined,
  limiter: Limiter,
): void {
  if (!response) return;
  Object.assign(response.headers, invocation.limitHeaders ?? limiter.headersOf(invocation.principal?.owner));
}
