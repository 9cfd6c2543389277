import * as z from "zod/mini";

/**
 * The names that the contracts share with one company's brand. They are settings of a stage; the contracts' own
 * spelling is the default. No other file spells them.
 */
export interface Brand {
  /** Prefix of the exchange's request headers, with its trailing hyphen. */
  readonly headerPrefix: string;
  /** Venue of execution and publication of every trade (`ve`, `vp`). */
  readonly venue: string;
  /** How the service names itself in `payment` and `counterparty.account_type`. */
  readonly ownAccount: string;
  /** Request header that carries the pass contract's version. */
  readonly versionHeader: string;
  /** What clients see before every route, such as `/api`; empty when the API stands at the root of its domain. */
  readonly basePath: string;
}

const headerName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, "must be a header name"));

/** The brand as environment variables, with the contracts' names as defaults. */
export const brandEnv = {
  HEADER_PREFIX: z._default(
    z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,60}-$/, "must end with a hyphen")),
    "X-Svc-",
  ),
  VENUE_CODE: z._default(
    z.string().check(z.regex(/^[A-Z0-9]{1,20}$/, "must be upper-case letters and digits")),
    "SVCX",
  ),
  OWN_ACCOUNT_WORD: z._default(
    z.string().check(z.regex(/^[a-z][a-z0-9_]{0,40}$/, "must be a lower-case word")),
    "service",
  ),
  VERSION_HEADER: z._default(headerName, "Service-Api-Version"),
  BASE_PATH: z._default(
    z
      .string()
      .check(
        z.regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, "must be empty or begin with a slash and not end with one"),
      ),
    "",
  ),
} as const;

const brandSchema = z.object(brandEnv);

/** The brand that a set of environment variables spells. */
export function brandOf(env: z.infer<typeof brandSchema>): Brand {
  return {
    headerPrefix: env.HEADER_PREFIX,
    venue: env.VENUE_CODE,
    ownAccount: env.OWN_ACCOUNT_WORD,
    versionHeader: env.VERSION_HEADER,
    basePath: env.BASE_PATH,
  };
}

/** The brand that the contracts are written in. */
export const contractBrand: Brand = brandOf(brandSchema.parse({}));
