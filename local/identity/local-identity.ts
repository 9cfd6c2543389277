/**
 * The `iss` of access tokens on a laptop. The local stage's settings and the local issuer both take the values of this
 * file, so that the synthesized functions accept tokens that a start mints. `.local` is reserved for names that never
 * leave a network (RFC 6762), so no real provider can own this one.
 */
export const localIssuer = "https://issuer.countinghouse.local";

/** The `aud` of each interface that takes access tokens: a token for one is refused by another. */
export const localAudiences = { business: "countinghouse-business", passes: "countinghouse-passes" } as const;

export type TokenInterface = keyof typeof localAudiences;

/**
 * How long everything that a start hands out stays valid: tokens for exactly this time, certificates for longer. A kept
 * certificate that would expire sooner is replaced.
 */
export const HANDED_OUT_MS = 30 * 86_400_000;

/** The media type that an access token states about itself (RFC 9068, section 2.1). */
export const localTokenType = "at+jwt";
