/**
 * Who issues access tokens on a laptop, and for whom. The local stage's settings and the local issuer both take the
 * values from here, so that a token minted at start is one that the synthesized functions accept. `.local` is
 * reserved for names that never leave a network (RFC 6762), so no real provider can own this one.
 */
export const localIssuer = "https://issuer.countinghouse.local";

/** The `aud` of each interface that takes access tokens: a token for one is worthless at another. */
export const localAudiences = { business: "countinghouse-business", passes: "countinghouse-passes" } as const;

export type TokenInterface = keyof typeof localAudiences;

/** The media type that an access token states about itself (RFC 9068, section 2.1). */
export const localTokenType = "at+jwt";
