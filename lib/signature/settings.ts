import * as z from "zod/mini";
import { wholeNumber } from "../parameter-schemas.ts";

/** How far a request's timestamp may lie from the server's time. Both edges are accepted. */
export interface FreshnessLimits {
  readonly ageMsMax: number;
  readonly aheadMsMax: number;
}

/** The limits unless a stage sets others: 30 s back, 5 s ahead. */
export const defaultFreshness: FreshnessLimits = { ageMsMax: 30_000, aheadMsMax: 5_000 };

/** The largest limit that a stage may set: the limits are the only protection against replay. */
export const FRESHNESS_MS_MAX = 600_000;

const milliseconds = (byDefault: number) => z._default(wholeNumber(1, FRESHNESS_MS_MAX), byDefault);

/** The limits as environment variables. */
export const freshnessEnv = {
  SIGNATURE_AGE_MS_MAX: milliseconds(defaultFreshness.ageMsMax),
  SIGNATURE_AHEAD_MS_MAX: milliseconds(defaultFreshness.aheadMsMax),
} as const;

/** The limits that a set of environment variables spells. */
export const freshnessOf = (env: z.infer<z.ZodMiniObject<typeof freshnessEnv>>): FreshnessLimits => ({
  ageMsMax: env.SIGNATURE_AGE_MS_MAX,
  aheadMsMax: env.SIGNATURE_AHEAD_MS_MAX,
});
