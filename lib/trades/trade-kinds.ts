/** Every side of the exchange's contract ("Trade side", member `s`): what the aggressor, who took the offer, did. */
export const tradeSides = ["buy", "sell"] as const;

export type Side = (typeof tradeSides)[number];
