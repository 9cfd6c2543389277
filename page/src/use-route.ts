import { useEffect, useState } from "preact/hooks";
import { type Route, readRoute } from "./route.ts";

/** The place that the address names now. A hash without a slash leads within a screen. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => {
      if (location.hash === "" || location.hash.startsWith("#/")) setHash(location.hash);
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return readRoute(hash);
}

/** Waits until a change has settled: a browser refuses addresses that change too often. */
const KEEP_MS = 300;

/**
 * Keeps what a screen shows in its address, so that a reload or a copied link shows the same. Nothing is added to the
 * browser's history. Secrets must never be among it.
 *
 * @param query such as `id=x`; empty for the screen as it begins.
 */
export function useKept(path: `#/${string}`, query: string): void {
  useEffect(() => {
    const address = query === "" ? path : `${path}?${query}`;
    const shown = location.hash;
    // Another address may have been asked for, of which the page hears in a moment.
    const keep = (): void => void (location.hash === shown && history.replaceState(null, "", address));
    const timer = setTimeout(keep, KEEP_MS);
    return () => clearTimeout(timer);
  }, [path, query]);
}
