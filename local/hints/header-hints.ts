import { requestHeadersOf } from "../../infra/cors-headers.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { credentialHeaders, missingHeaders } from "./credential-headers.ts";
import type { Hint } from "./request-seen.ts";
import { shownName } from "./shown-name.ts";

/**
 * Names the headers that no endpoint reads and that look like a misspelt one, and those that look like a credential of
 * this endpoint under another prefix.
 */
export const headerHints: Hint = ({ exchange: { headers }, contract, brand }) => {
  if (contract === undefined) return [];
  const known = requestHeadersOf({ brand });
  const missing = missingHeaders(credentialHeaders(contract, brand), headers);
  return Object.keys(headers).flatMap((name) => {
    const meant = underOtherPrefix(name, missing) ?? misspelt(name, known);
    return meant === undefined ? [] : ignored(name, meant);
  });
};

const ignored = (name: string, meant: string): string =>
  `The header ${shownName(name) ?? "with a name like it"} was ignored; did you mean ${meant}?`;

function misspelt(name: string, known: readonly string[]): string | undefined {
  const isKnown = known.some((one) => one.toLowerCase() === name);
  return isKnown ? undefined : nearestName(name, known);
}

/** The last words of a credential's header: its name without a prefix. */
const LAST_WORDS = /(?:api-?key|timestamp|signature)$/;

function underOtherPrefix(name: string, missing: readonly string[]): string | undefined {
  const words = LAST_WORDS.exec(name)?.[0].replace("-", "");
  if (words === undefined) return undefined;
  return missing.find((one) => one.toLowerCase().replaceAll("-", "").endsWith(words));
}
