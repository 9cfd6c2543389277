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
export function keySet(parts: KeySetParts) {
  const keys = new FetchedKeys(parts);
  return (header: JWTHeaderParameters, token: FlattenedJWSInput) => keys.find(header, token);
}

class FetchedKeys {
  readonly #parts: KeySetParts;
  #keys: JWTVerifyGetKey | undefined;
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
  }

  async find(header: JWTHeaderParameters, token: FlattenedJWSInput) {
    const isStale = this.#parts.clock() - this.#fetchedAtMs >= FRESH_MS;
    if (this.#keys === undefined || (isStale && this.#isCool())) await this.#refresh();
    try {
      return await this.#usable()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#isCool()) throw error;
      await this.#refresh();
      return await this.#usable()(header, token);
    }
  }

  /** Requests that come together share one fetch. */
  #refresh(): Promise<void> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetch(): Promise<void> {
    const { url, clock, fetchText: fetch = fetchText } = this.#parts;
    this.#triedAtMs = clock();
    try {
      this.#keys = createLocalJWKSet(JSON.parse(await fetch(url)) as JSONWebKeySet);
      this.#fetchedAtMs = this.#triedAtMs;
    } catch (error) {
      if (clock() - this.#fetchedAtMs > USABLE_MS) this.#keys = undefined;
      if (this.#keys === undefined) throw noKeys(error);
    }
  }

  #isCool(): boolean {
    return this.#parts.clock() - this.#triedAtMs >= COOL_DOWN_MS;
  }

  #usable(): JWTVerifyGetKey {
    if (this.#keys === undefined) throw noKeys(undefined);
    return this.#keys;
  }
}

/** Without any key nothing can be said of a token, neither yes nor no. */
const noKeys = (cause: unknown): Failure =>
  new Failure("temporarily_unavailable", "The token issuer's keys could not be read.", {
    retryAfterMs: NO_KEYS_RETRY_AFTER_MS,
    cause,
  });
