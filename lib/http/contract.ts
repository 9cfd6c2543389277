import type * as z from "zod/mini";
import type { ContractLimit } from "../rate-limit/settings.ts";

/** How a caller of an endpoint proves who it is; names the challenge of a 401. */
type CredentialScheme = "Bearer" | "ApiKey" | "Signature";

/**
 * One endpoint's contract as data. The handler answers by it, the infrastructure deploys it, and the documentation
 * lists it, so that none of them can say something else.
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
  /** The scope that a caller must hold; none where a credential by itself is the permission. */
  readonly scope: string | undefined;
  /** Path parameters, by their names in the route. */
  readonly path: Path;
  /** Query parameters, by name. */
  readonly query: Query;
  /**
   * Whether a query parameter that is not named here is refused: of a list, a filter that is dropped is a wrong answer.
   * Elsewhere it is ignored, since clients send parameters of their own with a single read.
   */
  readonly refusesUnknown?: boolean;
  /** Query parameters that may be given more than once: their schema receives a list. */
  readonly repeatable: readonly string[];
  /** The unit of `Retry-After`: the exchange's contract says milliseconds, HTTP says seconds. */
  readonly retryAfterUnit: "milliseconds" | "seconds";
  readonly cacheControl: string;
  /** The limit that requests are charged to, with its buckets unless a stage sets others. */
  readonly limit: ContractLimit;
  /** The environment that the function needs. */
  readonly env: Env;
}
