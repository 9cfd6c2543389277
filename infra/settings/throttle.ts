import * as z from "zod/mini";
import type { BucketSettings } from "../../lib/rate-limit/settings.ts";
import { whole } from "../../lib/setting-schemas.ts";
import { endpoints } from "../endpoints.ts";

/** The most that is worth asking for; what an account really gets are its own quotas in the region. */
const REQUESTS_MAX = 1_000_000;

const requestsPerSecond = whole(1, REQUESTS_MAX);
const burst = whole(1, REQUESTS_MAX);

/** How many requests the gateway lets through: a steady rate, and how many more at once. */
const throttleSchema = z.strictObject({ requestsPerSecond, burst });
type Throttle = z.infer<typeof throttleSchema>;

/** The throttle of one route, which the gateway names by its method and path. */
export interface RouteThrottle extends Throttle {
  readonly routeKey: string;
}

const routeSchema = z.optional(throttleSchema);

/** What the gateway lets through before any function runs, whoever asks. */
export const throttlesSchema = z.strictObject({
  /**
   * For all routes together; by default what a new account may have in most regions. In thirteen it may have 2,500 and 1,250:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   */
  requestsPerSecond: z._default(requestsPerSecond, 10_000),
  burst: z._default(burst, 5_000),
  /** How many owners may use up their whole limit at once on one route. The routes' throttles follow from it. */
  owners: z._default(whole(1, 10_000), 10),
  /** Throttles of single routes, by their endpoints' names, in place of those that follow from the owners. */
  routes: z.prefault(
    z.strictObject(Object.fromEntries(endpoints.map(({ contract }) => [contract.name, routeSchema]))),
    {},
  ),
});

interface Limited {
  readonly rateLimits: Readonly<Record<string, readonly BucketSettings[]>>;
  readonly throttle: z.infer<typeof throttlesSchema>;
}

/** What an owner may ask for at most: the smallest of its buckets bounds all requests, each of which costs a token. */
function ownersThrottle(buckets: readonly BucketSettings[], owners: number): Throttle {
  const [smallest] = [...buckets].sort((a, b) => a.burst - b.burst);
  if (smallest === undefined) throw new Error("A limit has no bucket.");
  const perSecond = (smallest.refillTokens * 1_000) / smallest.refillWindowMs;
  return { requestsPerSecond: Math.ceil(owners * perSecond), burst: owners * smallest.burst };
}

/** The throttle of every route: the one that is given, or what the owners' limits add up to. */
export const routeThrottlesOf = ({ rateLimits, throttle }: Limited): readonly RouteThrottle[] =>
  endpoints.map(({ contract: { name, method, route, limit } }) => ({
    routeKey: `${method} ${route}`,
    ...(throttle.routes[name] ??
      ownersThrottle(rateLimits[limit.name] ?? limit.defaultBuckets, throttle.owners)),
  }));

/** Refuses a throttle for all routes that the routes could use up together: one could then starve the others. */
export const routesFitTogether: z.core.CheckFn<Limited> = ({ value, issues }) => {
  const throttles = routeThrottlesOf(value);
  for (const member of ["requestsPerSecond", "burst"] as const) {
    const together = throttles.reduce((sum, throttle) => sum + throttle[member], 0);
    if (together <= value.throttle[member]) continue;
    const message = `must be at least ${together}, which is what the routes may use together; or lower throttle.owners or a throttle in throttle.routes`;
    issues.push({ code: "custom", path: ["throttle", member], message, input: value, continue: true });
  }
};
