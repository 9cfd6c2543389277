import { requestHeadersOf } from "../../infra/cors-headers.ts";
import type { Brand } from "../../lib/brand.ts";
import { nearestName } from "../../lib/http/nearest-name.ts";
import { RecentMap } from "../../lib/recent-map.ts";
import { credentialHeaders, type Hint, missingHeaders, shownName } from "./request-seen.ts";

/**
 * Names the headers that no endpoint reads and that look like a misspelt one, and those that look like a credential of
 * this endpoint under another prefix.
 */
export const headerHints: Hint = ({ exchange: { headers }, contract, brand }) => {
  if (contract === undefined) return [];
  const meantBy = meaningsOf(brand);
  const missing = missingHeaders(credentialHeaders(contract, brand), headers);
  return Object.keys(headers).flatMap((name) => {
    const meant = underOtherPrefix(name, missing) ?? meantBy(name);
    return meant === undefined ? [] : ignored(name, meant);
  });
};

const ignored = (name: string, meant: string): string =>
  `The header ${shownName(name) ?? "with a name like it"} was ignored; did you mean ${meant}?`;

/** Names of headers whose meaning is remembered. Callers send the same few again and again. */
const NAMES_MAX = 500;

type MeantBy = (name: string) => string | undefined;

const meanings = new WeakMap<Brand, MeantBy>();

/** The header that a name most likely means; undefined for a known name, and for one that is like none. */
function meaningsOf(brand: Brand): MeantBy {
  const found = meanings.get(brand) ?? rememberedMeanings(requestHeadersOf({ brand }));
  meanings.set(brand, found);
  return found;
}

function rememberedMeanings(known: readonly string[]): MeantBy {
  const names = new Set(known.map((name) => name.toLowerCase()));
  const judged = new RecentMap<string, { readonly meant: string | undefined }>(NAMES_MAX);
  return (name) => {
    const before = judged.get(name);
    if (before !== undefined) return before.meant;
    const meant = names.has(name) ? undefined : nearestName(name, known);
    judged.set(name, { meant });
    return meant;
  };
}

/** The last words of a credential's header: its name without a prefix. */
const LAST_WORDS = /(?:api-?key|timestamp|signature)$/;

function underOtherPrefix(name: string, missing: readonly string[]): string | undefined {
  const words = LAST_WORDS.exec(name)?.[0].replace("-", "");
  if (words === undefined) return undefined;
  return missing.find((one) => one.toLowerCase().replaceAll("-", "").endsWith(words));
}
