import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import type { EndpointContract } from "../../lib/http/contract.ts";
import { type EndpointParts, endpoint } from "../../lib/http/endpoint.ts";
import type { Limiter } from "../../lib/http/limit.ts";
import type { Plan } from "../../lib/http/plan.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import { wholeNumber } from "../../lib/parameter-schemas.ts";
import { invalidCredentials } from "../../lib/principal.ts";

/** The instant at which the tests' clock stands, unless they move it. */
export const NOW = 1_795_554_000_000;

export const DAY_MS = 86_400_000;

/** A contract with one of everything, for tests of the chain itself. */
export const sampleContract = {
  name: "get-sample",
  method: "GET",
  route: "/sample/{id}",
  scheme: "Bearer",
  scope: "samples.read",
  path: z.object({ id: z._default(z.string(), "") }),
  query: z.object({ count: z._default(wholeNumber(1, 10), 5), word: z.optional(z.array(z.string())) }),
  repeatable: ["word"],
  retryAfterUnit: "seconds",
  cacheControl: "no-store",
  limit: { name: "sample", costMax: 30, defaultBuckets: [] },
  env: z.object({}),
} as const satisfies EndpointContract;

/** A limiter that admits every request and sends no RateLimit headers. */
export const freeLimiter: Limiter = {
  charge: async () => ({ waitMs: 0, headers: {} }),
  headersOf: () => ({}),
};

export type SampleParts = EndpointParts<typeof sampleContract>;

/** The parts of a chain that a test gives; `answer` is that of a plan which costs one token. */
type GivenParts = Partial<SampleParts> & Partial<Pick<Plan, "answer">>;

/** A chain whose every part succeeds unless a test says otherwise, and the lines it has logged. */
export function sampleChain({
  answer = async () => ({ body: '{"sample":true}' }),
  ...parts
}: GivenParts = {}) {
  const lines: RequestLogEntry[] = [];
  const handler = endpoint({
    contract: sampleContract,
    switches: { get: async () => ({ on: true }) },
    authenticate: async (request) => {
      if (request.headers.authorization === undefined) throw invalidCredentials("no bearer token");
      return { owner: "owner-1", scopes: ["samples.read"] };
    },
    plan: async () => ({ cost: 1, answer }),
    limiter: freeLimiter,
    clock: () => NOW,
    steady: () => 0,
    log: (line) => lines.push(line),
    ...parts,
  });
  return { lines, call: (event: unknown, context = {} as Context) => handler(event, context) };
}

/** Lambda's context of an invocation that has this much time left whenever the handler asks. */
export const contextWith = (remainingMs: number): Context =>
  ({ getRemainingTimeInMillis: () => remainingMs }) as Context;

/** A payload-2.0 event of a well-formed request, with what a test changes about it. */
export function sampleEvent(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: "2.0",
    rawPath: "/sample/1",
    rawQueryString: "",
    headers: { authorization: "Bearer good" },
    pathParameters: { id: "1" },
    requestContext: { stage: "$default", requestId: "gateway-1", http: { method: "GET" } },
    ...changes,
  };
}
