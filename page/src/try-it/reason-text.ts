/** Codes of jose, which judges tokens, in words. The log keeps the code, because searches look for it. */
const TOKEN_REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "the token has expired",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "a claim of the token is wrong: issuer, audience or type",
  ERR_JWT_INVALID: "the token is malformed",
  ERR_JWS_INVALID: "the token is malformed",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "the token's signature does not fit",
  ERR_JWKS_NO_MATCHING_KEY: "no key of the issuer has the token's kid",
  ERR_JOSE_ALG_NOT_ALLOWED: "the token's algorithm is not accepted",
};

/** The reason of a refusal as the log has it, in words where it is a code. */
export const reasonText = (reason: string): string =>
  Object.hasOwn(TOKEN_REASONS, reason) ? `${TOKEN_REASONS[reason]} (${reason})` : reason;
