/**
 * How long everything that a start hands out stays valid: tokens for exactly this time, certificates for longer. A kept
 * certificate that would expire sooner is replaced.
 */
export const HANDED_OUT_MS = 30 * 86_400_000;
