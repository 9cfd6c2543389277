import { useEffect, useState } from "preact/hooks";
import { servicePlatform } from "./api/service-platform.ts";
import type { LiveState } from "./live-state.ts";

/** How often a clock on the page moves. */
const TICK_MS = 100;

/** The present value, and a new look at each change. */
export function useLive<Value>(live: LiveState<Value>): Value {
  const [shown, setShown] = useState({ value: live.value });
  useEffect(() => {
    const show = (): void =>
      setShown((before) => (before.value === live.value ? before : { value: live.value }));
    show();
    return live.listen(show);
  }, [live]);
  return shown.value;
}

/** An instant, in Unix epoch milliseconds: it follows the clock as long as `isTicking` says so of it. */
export function useNow(isTicking: (now: number) => boolean): number {
  const [now, setNow] = useState(servicePlatform.now);
  const ticks = isTicking(now);
  useEffect(() => {
    if (!ticks) return;
    const tick = (): void => setNow(servicePlatform.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [ticks]);
  return now;
}

/** Whether a media query fits now. */
export function useMedia(query: MediaQueryList): boolean {
  const [fits, setFits] = useState(query.matches);
  useEffect(() => {
    const follow = (): void => setFits(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return fits;
}

/** What a search of the present `of` found; until it has ended, what the one before found. A failure finds nothing. */
export function useFound<Found>(
  search: (signal: AbortSignal) => Promise<Found>,
  of: readonly unknown[],
): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const ending = new AbortController();
    const take = (one: Found): void => void (ending.signal.aborted || setFound(() => one));
    search(ending.signal).then(take, () => {});
    return () => ending.abort();
  }, of);
  return found;
}
