import type { JWTHeaderParameters } from "jose";
import { type Clock, isWithin, type Mark, markerOf } from "../clock.ts";
import { type Failure, unavailable } from "../errors.ts";
import { fetchText } from "./fetch-text.ts";
import type { KeptKeySet } from "./kept-key-set.ts";
import { KeysAtHand } from "./keys-at-hand.ts";
import type { PublishedKey } from "./published-keys.ts";
import type { VerificationKey } from "./verification-key.ts";

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
  /** Reads the set that is kept for all functions; by default there is none. */
  readonly kept?: { get(url: URL): Promise<KeptKeySet | undefined> };
  /** Called once for each fetch that brought no keys. */
  readonly reportFailure?: (error: unknown) => void;
}

/** Finds keys of a token issuer. */
export interface IssuerKeys {
  /**
   * The keys by which a token with this header may be verified, to be tried one after the other. A `kid` in the header
   * selects the keys of this name. Without one (RFC 7515 4.1.4), all keys that fit the header's algorithm are tried.
   *
   * @throws {Failure} `temporarily_unavailable` when there is no key at all.
   */
  fitting(header: JWTHeaderParameters): AsyncIterable<VerificationKey>;
}

/**
 * The public keys of a token issuer. They are read when first needed, and again after ten minutes: from the set that is
 * kept for all functions, or from the issuer where that set is older. The issuer is also asked when no key verifies a
 * token, so a rotation needs no restart. While the issuer does not answer, keys serve for a day from the instant at
 * which they were fetched, and not longer. Keys come only from the configured address; nothing in a token (`jku`, `x5u`,
 * `jwk`) is followed.
 */
export class IssuerKeySet implements IssuerKeys {
  readonly #parts: KeySetParts;
  readonly #mark: () => Mark;
  readonly #keys: KeysAtHand;
  #triedAt: Mark | undefined;
  #pending: Promise<void> | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
    this.#mark = markerOf(parts.clock, parts.steady);
    this.#keys = new KeysAtHand(this.#mark);
  }

  /** Reads the kept set ahead of the first token. It never throws and never asks the issuer. */
  async prime(): Promise<void> {
    const { url, kept } = this.#parts;
    // Without a kept set, the issuer itself is still there to be asked.
    const found = await kept?.get(url).catch(() => undefined);
    if (found !== undefined) this.#keys.adopt(found);
  }

  /**
   * Yields the keys at hand; then, if the caller goes on and the last fetch is long enough ago, those of another fetch.
   */
  async *fitting(header: JWTHeaderParameters): AsyncGenerator<VerificationKey> {
    if (!this.#keys.isFresh()) await this.#renew(() => this.#readOrFetch());
    yield* this.#find(header);
    if (!this.#isCool()) return;
    await this.#renew(() => this.#fetch());
    yield* this.#find(header);
  }

  #find({ alg, kid }: JWTHeaderParameters): readonly PublishedKey[] {
    const keys = this.#keys.usable();
    if (keys.length === 0) throw noKeys(undefined);
    const fits = (key: PublishedKey) =>
      key.algorithms.includes(alg) && (kid === undefined || key.kid === kid);
    return keys.filter(fits).slice(0, TRIED_MAX);
  }

  /** Requests that come together share one renewal. Too soon after the last fetch, there is none. */
  async #renew(work: () => Promise<void>): Promise<void> {
    if (this.#pending === undefined && !this.#isCool()) return;
    this.#pending ??= work().finally(() => {
      this.#pending = undefined;
    });
    await this.#pending;
  }

  async #readOrFetch(): Promise<void> {
    await this.prime();
    if (!this.#keys.isFresh()) await this.#fetch();
  }

  async #fetch(): Promise<void> {
    const { url, fetchText: fetch = fetchText, reportFailure } = this.#parts;
    const triedAt = this.#mark();
    this.#triedAt = triedAt;
    try {
      this.#keys.take(await fetch(url), triedAt);
    } catch (error) {
      reportFailure?.(error);
      if (this.#keys.usable().length === 0) throw noKeys(error);
    }
  }

  #isCool(): boolean {
    const coolDownMs = this.#keys.usable().length === 0 ? COOL_DOWN_WITHOUT_KEYS_MS : COOL_DOWN_MS;
    return this.#triedAt === undefined || !isWithin(coolDownMs, this.#triedAt, this.#mark());
  }
}

/** Without any key, a token can be neither accepted nor refused. */
const noKeys = (cause: unknown): Failure =>
  unavailable("The token issuer's keys could not be read.", {
    retryAfterMs: COOL_DOWN_WITHOUT_KEYS_MS,
    cause,
  });
