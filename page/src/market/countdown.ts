const EXACT_BELOW_MS = 10_000;

/** The time that is left, rounded up: to tenths of a second below ten seconds, else to seconds. */
export function leftText(leftMs: number): string {
  if (leftMs <= 0) return "0.0 s";
  const tenths = Math.ceil(leftMs / 100);
  return tenths * 100 < EXACT_BELOW_MS ? `${(tenths / 10).toFixed(1)} s` : `${Math.ceil(leftMs / 1_000)} s`;
}
