const DAY_MS = 86_400_000;

/** Units of lengths of time; a year has 365 days. */
const UNITS_MS = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: DAY_MS / 24,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
} as const;

const DURATION = /^([1-9]\d{0,5}(?=[mhs])|[1-9]\d{0,4})(ms|s|m|h|d|w|y)$/;

/** A length of time such as `90s` or `3d`, in milliseconds; undefined for another text, or a unit that is not taken. */
export function durationMs(text: string, units: readonly (keyof typeof UNITS_MS)[]): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const taken = units.find((one) => one === unit);
  return taken === undefined ? undefined : Number(count) * UNITS_MS[taken];
}
