import { anObject } from "./rules.ts";

/**
 * Filters as a query: a list is the parameter repeated, and an instant is ISO 8601. A filter that is undefined is left out.
 *
 * @throws {TypeError} that names a filter without a value. To leave it out would ask for more than was meant.
 */
export function queryOf(filters: object): string {
  // The filters of a Map, of a URLSearchParams or of a list would not be seen.
  if (!anObject.isKept(filters) || Symbol.iterator in filters)
    throw new TypeError("query: must be an object of filters.");
  const pairs = Object.entries(filters).flatMap(([name, given]) => {
    if (given === undefined) return [];
    // `map` alone would pass over the holes of a list, which hold undefined as well.
    const values: readonly unknown[] = Array.isArray(given) ? Array.from(given) : [given];
    if (values.length === 0) throw new TypeError(`${name}: must not be an empty list. Leave it out for all.`);
    return values.map((value): [string, string] => [name, textOf(name, value)]);
  });
  return new URLSearchParams(pairs).toString();
}

function textOf(name: string, value: unknown): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new TypeError(`${name}: must be text, a number or a valid Date, and not empty.`);
}
