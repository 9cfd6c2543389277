import * as z from "zod/mini";
import { wholeNumber } from "../parameter-schemas.ts";

const required = z.string().check(z.minLength(1, "must be given"));

/** A year and a day: longer than any real token lives, and far shorter than one with an `exp` in milliseconds. */
export const LIFETIME_DAYS_MAX_DEFAULT = 366;
/** The most days that a stage may set: ten years. */
export const LIFETIME_DAYS_LIMIT = 3_660;

/** The token issuer that an interface trusts: one issuer, its own audience, one key set, one media type. */
export const tokenEnv = {
  TOKEN_ISSUER: required,
  TOKEN_AUDIENCE: required,
  TOKEN_JWKS_URL: z.string().check(z.refine((text) => URL.canParse(text), "must be a URL")),
  TOKEN_TYPE: required,
  /** How many days `exp` may lie ahead. */
  TOKEN_LIFETIME_DAYS_MAX: z._default(wholeNumber(1, LIFETIME_DAYS_LIMIT), LIFETIME_DAYS_MAX_DEFAULT),
} as const;

const tokenEnvSchema = z.object(tokenEnv);
export type TokenEnv = z.infer<typeof tokenEnvSchema>;
