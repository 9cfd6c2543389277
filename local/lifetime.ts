/**
 * For how long at least everything holds that a start hands out: tokens exactly so long, certificates longer. A kept
 * certificate that would end sooner is made anew.
 */
export const HANDED_OUT_MS = 30 * 86_400_000;
