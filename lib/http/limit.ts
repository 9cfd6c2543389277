import { Failure } from "../errors.ts";
import type { Invocation } from "./invocation.ts";
import type { HttpResponse } from "./respond.ts";

/** Counts what owners spend. `headers` say what is left; `waitMs` is 0 when the request was charged. */
export interface Limiter {
  charge(
    owner: string,
    cost: number,
  ): Promise<{ readonly waitMs: number; readonly headers: Readonly<Record<string, string>> }>;
  headersOf(owner: string | undefined): Readonly<Record<string, string>>;
}

/** @throws {Failure} `rate_limited` when an owner's tokens do not pay for the request, which then cost nothing. */
export async function chargeOwner(
  invocation: Invocation,
  limiter: Limiter,
  { owner, cost }: { readonly owner: string; readonly cost: number },
): Promise<void> {
  const { waitMs, headers } = await limiter.charge(owner, cost);
  invocation.limitHeaders = headers;
  if (waitMs > 0)
    throw new Failure("rate_limited", `The rate limit is used up: wait ${waitMs} ms.`, {
      retryAfterMs: waitMs,
    });
}

/** Adds the RateLimit headers to every response: the decision of this request if there was one, else the last known state. */
export function tellLimit(
  invocation: Invocation,
  response: HttpResponse | null | undefined,
  limiter: Limiter,
): void {
  if (!response) return;
  Object.assign(response.headers, invocation.limitHeaders ?? limiter.headersOf(invocation.principal?.owner));
}
