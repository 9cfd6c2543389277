import type * as z from "zod/mini";
import type { ContractLimit } from "../rate-limit/settings.ts";

/** How a caller of an endpoint authenticates; names the challenge of a 401. */
type CredentialScheme = "Bearer" | "ApiKey" | "Signature";

/**
 * One endpoint's contract as data. The handler enforces it, the infrastructure deploys it and the documentation lists
 * it, so the three cannot disagree.
 */
export interface EndpointContract<
  Path extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Env extends z.ZodMiniObject = z.ZodMiniObject,
> {
  /** Names the function, its kill switch and its log lines. */
  readonly name: string;
  readonly method: "GET";
  /** Route with `{name}` placeholders, as API Gateway writes it. */
  readonly route: string;
  readonly scheme: CredentialScheme;
  /** The scope that a caller must hold; undefined where the credential alone is the permission. */
  readonly scope: string | undefined;
  /** Path parameters, by their names in the route. */
  readonly path: Path;
  /** Query parameters, by name. */
  readonly query: Query;
  /**
   * Whether an unknown query parameter is refused. A list refuses it, because an answer that ignores a filter is wrong.
   * A single read ignores it, because clients send parameters of their own.
   */
  readonly refusesUnknown?: boolean;
  /** Query parameters that may be given more than once: their schema receives a list. */
  readonly repeatable: readonly string[];
  /** The unit of `Retry-After`: the exchange's contract says milliseconds, HTTP says seconds. */
  readonly retryAfterUnit: "milliseconds" | "seconds";
  readonly cacheControl: string;
  /** The limit that requests are charged to, with its default buckets, which a stage may replace. */
  readonly limit: ContractLimit;
  /** The environment that the function needs. */
  readonly env: Env;
}
