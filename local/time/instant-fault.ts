import { instantSlip } from "../../lib/instant.ts";

/** What is wrong with a text that is not the time that was asked for: a common slip, or else what forms it may have. */
export function instantFault(text: string, forms: string): string {
  const slip = instantSlip(text);
  return slip === undefined ? `Give ${forms}.` : `${slip[0]?.toUpperCase()}${slip.slice(1)}.`;
}
