/** Every side of the exchange's contract ("Trade side", member `s`): that of the aggressor, who took the offer. */
export const tradeSides = ["buy", "sell"] as const;

export type Side = (typeof tradeSides)[number];
