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
