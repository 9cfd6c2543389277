/** What the client takes from the platform. Each part is an option, for tests and for unusual places to run in. */
export interface Platform {
  /** As the platform's own; a wrapper may add a proxy, or a client certificate for passes. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Unix epoch milliseconds. Requests of the exchange and signatures of passes carry this instant. */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason once it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 up to 1, which spreads the waits of many clients. */
  readonly random: () => number;
}

/** A timer takes no longer time, in milliseconds. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const end = (): void => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, TIMER_MS_MAX));
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The platform that the program runs on. */
export const thisPlatform: Platform = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  sleep,
  random: () => Math.random(),
};

/** A random id of 32 hex digits. `crypto.randomUUID` is missing on pages that are served over plain HTTP. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
