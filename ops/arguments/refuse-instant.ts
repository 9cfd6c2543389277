import { instantFault } from "../../local/time/instant-fault.ts";

/**
 * Refuses a text that is not the instant that was asked for, and names a common slip.
 *
 * @param forms what can be given in its place.
 * @throws {RangeError} with a message for the operator.
 */
export function refuseInstant(text: string, forms: string): never {
  throw new RangeError(instantFault(text, forms));
}
