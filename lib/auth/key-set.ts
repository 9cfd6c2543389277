import type { JWK, JWTHeaderParameters } from "jose";
import { ageMs, type Clock, isWithin, type Mark, markerOf } from "../clock.ts";
import { Failure } from "../errors.ts";
import { fetchText } from "./fetch-text.ts";
import { type VerificationKey, verificationKeyOf } from "./verification-key.ts";

const FRESH_MS = 10 * 60_000;
/** While an issuer is down, its last good keys serve for a day. */
const USABLE_MS = 24 * 3_600_000;
/** The shortest time between two fetches when no key verifies or a fetch failed. */
const COOL_DOWN_MS = 30_000;
/** The same while there are no keys at all, and the wait that callers are told then. */
const COOL_DOWN_WITHOUT_KEYS_MS = 5_000;
/** The most keys tried on one token: an issuer has two or three, and a stranger's token costs a check of each. */
const TRIED_MAX = 8;

export interface KeySetParts {
  readonly url: URL;
  readonly clock: Clock;
  /** The machine's steady clock by default. */
  readonly steady?: Clock;
  /** Reads the set's text; the network by default. */
  readonly fetchText?: (url: URL) => Promise<string>;
}

/**
 * The keys by which a token with this header may be verified, to be tried one after the other. A `kid` in the header
 * selects the keys of this name. Without one (RFC 7515 4.1.4), all keys that fit the header's algorithm are tried.
 *
 * @throws {Failure} `temporarily_unavailable` when there is no key at all.
 */
export type IssuerKeys = (header: JWTHeaderParameters) => AsyncIterable<VerificationKey>;

/**
 * The public keys of a token issuer. They are fetched when first needed, and again after ten minutes or when none
 * verifies a token, so a rotation needs no restart. They are kept for a day while the issuer does not answer. Keys come
 * only from the configured address; nothing in a token (`jku`, `x5u`, `jwk`) is followed.
 */
export function keySet(parts: KeySetParts): IssuerKeys {
  const keys = new FetchedKeys(parts);
  return (header) => keys.fitting(header);
}

interface NamedKey extends VerificationKey {
  readonly kid: string | undefined;
}

class FetchedKeys {
  readonly #parts: KeySetParts;
  readonly #mark: () => Mark;
  #keys: readonly NamedKey[] = [];
  #fetchedAt: Mark | undefined;
  #triedAt: Mark | undefined;
  #pending: Promise<void> | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
    this.#mark = markerOf(parts.clock, parts.steady);
  }

  /**
   * Yields the keys at hand; then, if the caller goes on and the last fetch is long enough ago, those of another fetch.
   */
  async *fitting(header: JWTHeaderParameters): AsyncGenerator<VerificationKey> {
    if (!this.#isWithin(FRESH_MS, this.#fetchedAt)) await this.#refresh();
    yield* this.#find(header);
    if (!this.#isCool()) return;
    await this.#refresh();
    yield* this.#find(header);
  }

  #find({ alg, kid }: JWTHeaderParameters): readonly NamedKey[] {
    if (this.#keys.length === 0) throw noKeys(undefined);
    const fits = (key: NamedKey) => key.algorithms.includes(alg) && (kid === undefined || key.kid === kid);
    return this.#keys.filter(fits).slice(0, TRIED_MAX);
  }

  /** Requests that come together share one fetch. Too soon after the last fetch, there is none. */
  async #refresh(): Promise<void> {
    if (this.#pending === undefined && !this.#isCool()) return;
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined;
    });
    await this.#pending;
  }

  async #fetch(): Promise<void> {
    const { url, fetchText: fetch = fetchText } = this.#parts;
    const triedAt = this.#mark();
    this.#triedAt = triedAt;
    try {
      this.#keys = readKeys(await fetch(url));
      this.#fetchedAt = triedAt;
    } catch (error) {
      if (this.#fetchedAt !== undefined && ageMs(this.#fetchedAt, this.#mark()) > USABLE_MS) this.#keys = [];
      if (this.#keys.length === 0) throw noKeys(error);
    }
  }

  #isCool(): boolean {
    const coolDownMs = this.#keys.length === 0 ? COOL_DOWN_WITHOUT_KEYS_MS : COOL_DOWN_MS;
    return !this.#isWithin(coolDownMs, this.#triedAt);
  }

  #isWithin(ms: number, since: Mark | undefined): boolean {
    return since !== undefined && isWithin(ms, since, this.#mark());
  }
}

/** @throws {Error} for a set without any key that verifies, which is worth no more than a failed fetch. */
function readKeys(text: string): readonly NamedKey[] {
  const { keys }: { keys?: unknown } = JSON.parse(text) as object;
  const read = Array.isArray(keys) ? keys.flatMap((jwk) => namedKeyOf(jwk as JWK | null) ?? []) : [];
  if (read.length === 0) throw new Error("The issuer's key set holds no key that verifies.");
  return read;
}

function namedKeyOf(jwk: JWK | null): NamedKey | undefined {
  const key = jwk === null ? undefined : verificationKeyOf(jwk);
  return key && { ...key, kid: jwk?.kid };
}

/** Without any key, a token can be neither accepted nor refused. */
const noKeys = (cause: unknown): Failure =>
  new Failure("temporarily_unavailable", "The token issuer's keys could not be read.", {
    retryAfterMs: COOL_DOWN_WITHOUT_KEYS_MS,
    cause,
  });
