import { fetchText } from "../auth/fetch-text.ts";
import type { KeptKeySetRegister } from "../auth/kept-key-set-register.ts";
import { readPublishedKeys } from "../auth/published-keys.ts";
import type { Clock } from "../clock.ts";

export interface KeySetKeeping {
  readonly urls: readonly string[];
  readonly register: Pick<KeptKeySetRegister, "put">;
  readonly clock: Clock;
  readonly reportFailure: (error: unknown) => void;
  /** Reads a set's text; the network by default. */
  readonly fetchText?: (url: URL) => Promise<string>;
}

/**
 * Fetches the key set of each issuer, and keeps it with the time at which it was asked for. A set that cannot be fetched,
 * or has no key that verifies, is reported and leaves the kept one as it is.
 *
 * @throws {Failure} when the store does not answer.
 */
export async function keepKeySets({ urls, ...parts }: KeySetKeeping): Promise<void> {
  for (const url of urls) await keepKeySet(new URL(url), parts);
}

async function keepKeySet(url: URL, parts: Omit<KeySetKeeping, "urls">): Promise<void> {
  const { register, clock, reportFailure, fetchText: fetch = fetchText } = parts;
  const fetchedAt = clock();
  let text: string;
  try {
    text = await fetch(url);
    readPublishedKeys(text);
  } catch (error) {
    reportFailure(error);
    return;
  }
  await register.put(url, { text, fetchedAt });
}
