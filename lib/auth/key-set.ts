import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type JWTVerifyGetKey,
} from "jose";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { fetchText } from "./fetch-text.ts";

const FRESH_MS = 10 * 60_000;
/** An issuer that is down does not take us down: its last good keys serve for a day. */
const USABLE_MS = 24 * 3_600_000;
/** How often at most a set is fetched again because a key is unknown or a fetch failed. */
const COOL_DOWN_MS = 30_000;
const NO_KEYS_RETRY_AFTER_MS = 5_000;

export interface KeySetParts {
  readonly url: URL;
  readonly clock: Clock;
  /** Reads the set's text; the network by default. */
  readonly fetchText?: (url: URL) => Promise<string>;
}

/**
 * The public keys of a token issuer, by `kid`: fetched when first needed, again after ten minutes or when a `kid` is
 * not among them (a rotation needs no restart), and kept for a day while the issuer does not answer. Keys come from the
 * configured address only; nothing that a token says (`jku`, `x5u`, `jwk`) is followed.
 */
export function keySet({ url, clock, fetchText: fetch = fetchText }: KeySetParts) {
  let keys: JWTVerifyGetKey | undefined;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const fetchKeys = async (): Promise<void> => {
    triedAtMs = clock();
    try {
      keys = createLocalJWKSet(JSON.parse(await fetch(url)) as JSONWebKeySet);
      fetchedAtMs = triedAtMs;
    } catch (error) {
      if (clock() - fetchedAtMs > USABLE_MS) keys = undefined;
      if (keys === undefined) throw noKeys(error);
    }
  };
  const refresh = (): Promise<void> => {
    pending ??= fetchKeys().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const isCool = (): boolean => clock() - triedAtMs >= COOL_DOWN_MS;

  return async (header: JWTHeaderParameters, token: FlattenedJWSInput) => {
    const isStale = clock() - fetchedAtMs >= FRESH_MS;
    if (keys === undefined || (isStale && isCool())) await refresh();
    try {
      return await usable(keys)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isCool()) throw error;
      await refresh();
      return await usable(keys)(header, token);
    }
  };
}

function usable(keys: JWTVerifyGetKey | undefined): JWTVerifyGetKey {
  if (keys === undefined) throw noKeys(undefined);
  return keys;
}

/** Without any key nothing can be said of a token, neither yes nor no. */
const noKeys = (cause: unknown): Failure =>
  new Failure("temporarily_unavailable", "The token issuer's keys could not be read.", {
    retryAfterMs: NO_KEYS_RETRY_AFTER_MS,
    cause,
  });
