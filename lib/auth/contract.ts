import * as z from "zod/mini";

const required = z.string().check(z.minLength(1, "must be given"));

/** The token issuer that an interface trusts: one issuer, one audience of its own, one key set, one media type. */
export const tokenEnv = {
  TOKEN_ISSUER: required,
  TOKEN_AUDIENCE: required,
  TOKEN_JWKS_URL: z.string().check(z.refine((text) => URL.canParse(text), "must be a URL")),
  TOKEN_TYPE: required,
} as const;

const tokenEnvSchema = z.object(tokenEnv);
export type TokenEnv = z.infer<typeof tokenEnvSchema>;
