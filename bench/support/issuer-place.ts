/** Stands in canned answers for the issuer's origin, whose port is known only once it listens. */
export const ISSUER_PLACE = "https://issuer.place";
