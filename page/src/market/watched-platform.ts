import type { Platform } from "../../../client/src/platform.ts";
import { shortBuckets } from "./gauges.ts";

/** A pause between two requests. */
export interface Wait {
  /** When it began, Unix epoch milliseconds. */
  readonly fromMs: number;
  /** When it ends, Unix epoch milliseconds. */
  readonly untilMs: number;
  /** After a 429 as long as its `Retry-After` says; ahead of one, until the tokens are there; or after a failure. */
  readonly cause: "refused" | "tokens" | "failure";
  /** The budgets that a 429 was for, by their names in `RateLimit`; absent for another cause. */
  readonly short?: readonly string[];
}

/** What is told of requests while they are made. */
export interface Watcher {
  /** An answer came, at `atMs`. */
  readonly answered: (response: Pick<Response, "headers" | "status">, atMs: number) => void;
  /** A pause began; undefined when it ended. */
  readonly waits: (wait: Wait | undefined) => void;
}

/** A platform for a client, whose answers and pauses are told to a watcher. */
export function watchedPlatform(platform: Platform, { answered, waits }: Watcher): Platform {
  let status: number | undefined;
  let short: readonly string[] | undefined;
  const cause = (): Wait["cause"] => {
    if (status === 429) return "refused";
    return status === 200 ? "tokens" : "failure";
  };
  return {
    ...platform,
    fetch: async (url, init) => {
      status = undefined;
      const response = await platform.fetch(url, init);
      status = response.status;
      short = status === 429 ? shortBuckets(url, response.headers) : undefined;
      answered(response, platform.now());
      return response;
    },
    sleep: async (ms, signal) => {
      const fromMs = platform.now();
      waits({ fromMs, untilMs: fromMs + ms, cause: cause(), ...(short !== undefined && { short }) });
      try {
        await platform.sleep(ms, signal);
      } finally {
        waits(undefined);
      }
    },
  };
}
