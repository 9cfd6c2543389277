import { instantSlip } from "../../lib/instant.ts";

/**
 * Refuses a text that is not the instant that was asked for, and names a common slip.
 *
 * @param forms what can be given in its place.
 * @throws {RangeError} with a message for the operator.
 */
export function refuseInstant(text: string, forms: string): never {
  const slip = instantSlip(text);
  throw new RangeError(slip === undefined ? `Give ${forms}.` : `${slip[0]?.toUpperCase()}${slip.slice(1)}.`);
}
