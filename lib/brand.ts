import * as z from "zod/mini";

/**
 * The names in the contracts that come from one company's brand. They are settings of a stage, with the contracts' own
 * spelling as the default. No other file spells them.
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
  /**
   * The path that clients see before every route, such as `/api`; empty when the API stands at the root of its domain.
   */
  readonly basePath: string;
}

const headerName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, "must be a header name"));

/** The rule of each member, with the contracts' name as its default. */
export const brandMembers = {
  headerPrefix: z._default(
    z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9-]{0,60}-$/, "must end with a hyphen")),
    "X-Svc-",
  ),
  venue: z._default(
    z.string().check(z.regex(/^[A-Z0-9]{1,20}$/, "must be upper-case letters and digits")),
    "SVCX",
  ),
  ownAccount: z._default(
    z.string().check(z.regex(/^[a-z][a-z0-9_]{0,40}$/, "must be a lower-case word")),
    "service",
  ),
  versionHeader: z._default(headerName, "Service-Api-Version"),
  basePath: z._default(
    z
      .string()
      .check(
        z.regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, "must be empty or begin with a slash and not end with one"),
      ),
    "",
  ),
} as const satisfies Record<keyof Brand, z.ZodMiniType>;

/** The members as environment variables. */
export const brandEnv = {
  HEADER_PREFIX: brandMembers.headerPrefix,
  VENUE_CODE: brandMembers.venue,
  OWN_ACCOUNT_WORD: brandMembers.ownAccount,
  VERSION_HEADER: brandMembers.versionHeader,
  BASE_PATH: brandMembers.basePath,
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

/** The environment variables that spell a brand. */
export const brandVariablesOf = (brand: Brand): Record<keyof typeof brandEnv, string> => ({
  HEADER_PREFIX: brand.headerPrefix,
  VENUE_CODE: brand.venue,
  OWN_ACCOUNT_WORD: brand.ownAccount,
  VERSION_HEADER: brand.versionHeader,
  BASE_PATH: brand.basePath,
});

/** The brand that the contracts are written in. */
export const contractBrand: Brand = brandOf(brandSchema.parse({}));
