const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

const DURATION = /^([1-9]\d{0,5})(ms|s|m|h)$/;

/**
 * A length of time such as `500ms`, `30s`, `10m` or `2h`, in milliseconds.
 *
 * @throws {RangeError} with a message for the operator, when the text is not such a length.
 */
export function parseDuration(text: string): number {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  const unitMs = UNITS_MS.get(unit);
  if (unitMs === undefined) throw new RangeError("Give a length of time such as 500ms, 30s, 10m or 2h.");
  return Number(count) * unitMs;
}
