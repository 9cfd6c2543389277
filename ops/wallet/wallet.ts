import { randomUUID } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { exchange, NoAnswer, type SeenResponse, TIMEOUT_MS, type TlsFiles } from "./http-exchange.ts";
import { type JwsSigningKey, signDetached } from "./jws-signer.ts";
import { waitMsAfter } from "./retry-after.ts";
import { readWire, type Wire } from "./wire.ts";

/** The caller's credentials; any of them may be missing. */
export interface WalletCredentials {
  readonly token?: string;
  readonly signingKey?: JwsSigningKey;
  /** PEM texts of the client certificate and its key, and of the authorities of the server's certificate. */
  readonly tls: TlsFiles;
}

export interface WalletOptions {
  /** The address before `/passes/{partner_reference}`. */
  readonly baseUrl: URL;
  readonly credentials: WalletCredentials;
  /** The contract version that requests name, and the header that names it. */
  readonly version: string;
  readonly versionHeader: string;
  readonly clock: Clock;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** How long a server may take for one request. */
  readonly timeoutMs?: number;
  /** How long `get` may wait in all, the waits for a silent server included. */
  readonly waitBudgetMs?: number;
  /** Ends the running request, which then has no answer. */
  readonly signal?: AbortSignal;
}

/** One request, by its differences from a plain one with every credential. */
export interface Probe {
  readonly reference: string;
  /** Headers to add or, when undefined, to leave out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Used in place of the wallet's own credentials. */
  readonly credentials?: WalletCredentials;
  /** Turns the shell command that prints the right token or signature into one that prints the changed one. */
  readonly spoiledBy?: (print: string) => string;
}

/** One request as it was sent. */
export interface SentRequest {
  readonly url: URL;
  readonly probe: Probe;
  /** All headers, as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, and the request that it answers. */
export interface Answer extends SeenResponse {
  readonly request: SentRequest;
}

/** A 429 or 503. */
export type Refusal = Pick<Answer, "status" | "headers" | "answeredAt" | "request">;

/** The server gave no answer to judge, only 429, 503 or silence, for as long as the wallet waits. */
export class StillBusy extends Error {
  override readonly name = "StillBusy";
}

export const WAIT_BUDGET_MS = 120_000;
/** The most waits after a 429 or 503 for one request. */
const WAITS_MAX = 3;
/** The wait without a Retry-After: long enough for a transient failure to end, and short against the budget. */
const UNTOLD_WAIT_MS = 5_000;

export const isBusy = ({ status }: Pick<SeenResponse, "status">): boolean => status === 429 || status === 503;

/** A new Request-Id. It has letters of both cases, so that a server that changes their case is noticed. */
export const newRequestId = (): string => `Check-${randomUUID()}`;

/** Calls a pass endpoint as the wallet service does. */
export class Wallet {
  readonly credentials: WalletCredentials;
  readonly options: WalletOptions;
  /** Every 429 and 503 that a request was answered with. */
  readonly refusals: Refusal[] = [];
  /** The request that was sent last. */
  lastSent: SentRequest | undefined;
  #budgetMs: number;
  #isSilent = false;

  constructor(options: WalletOptions) {
    this.options = options;
    this.#budgetMs = options.waitBudgetMs ?? WAIT_BUDGET_MS;
    this.credentials = options.credentials;
  }

  /** The address of a pass. */
  urlOf(reference: string): URL {
    const { baseUrl } = this.options;
    // A colon needs no encoding (RFC 3986 3.3), and a server may compare the signed path with the decoded one.
    const segment = encodeURIComponent(reference).replaceAll("%3A", ":");
    return new URL(`${baseUrl.href.replace(/\/$/, "")}/passes/${segment}`);
  }

  /** Sends a request exactly once. @throws {NoAnswer} */
  async send(probe: Probe): Promise<Answer> {
    const request = await this.#prepare(probe);
    const { tls } = probe.credentials ?? this.credentials;
    const response = await exchange(request.url, request.headers, tls, this.options);
    const { status, headers, answeredAt } = response;
    if (isBusy(response)) this.refusals.push({ status, headers, answeredAt, request });
    return { ...response, request };
  }

  /** Sends a request twice on one connection, and reads the bytes that answer it. @throws {NoAnswer} */
  async readWire(probe: Probe): Promise<Wire> {
    const [first, second] = [await this.#prepare(probe), await this.#prepare(probe)];
    const { tls } = probe.credentials ?? this.credentials;
    return readWire(first.url, [first.headers, second.headers], tls, this.options);
  }

  /**
   * Sends a request, and again up to {@link WAITS_MAX} times, each after the wait that a 429 or 503 asks for.
   *
   * @throws {NoAnswer}
   * @throws {StillBusy} when the server stays busy, or the budget for waiting is spent.
   */
  async get(probe: Probe): Promise<Answer> {
    for (let waited = 0; ; waited++) {
      const response = await this.#sendWithinBudget(probe);
      if (!isBusy(response)) return response;
      const waitMs = waitMsAfter(response, UNTOLD_WAIT_MS);
      if (waited === WAITS_MAX || waitMs > this.#budgetMs)
        throw new StillBusy(`the server kept answering ${response.status}`);
      this.#budgetMs -= waitMs;
      await this.wait(waitMs);
    }
  }

  /** Waits without charging the budget. */
  async wait(ms: number): Promise<void> {
    await this.options.wait(ms);
  }

  async #sendWithinBudget(probe: Probe): Promise<Answer> {
    if (this.#isSilent && this.#budgetMs <= 0) throw new StillBusy("the server kept silent");
    try {
      return await this.send(probe);
    } catch (error) {
      if (error instanceof NoAnswer && error.isSilent) {
        this.#isSilent = true;
        this.#budgetMs -= this.options.timeoutMs ?? TIMEOUT_MS;
      }
      throw error;
    }
  }

  async #prepare(probe: Probe): Promise<SentRequest> {
    const request = { url: this.urlOf(probe.reference), probe, headers: await this.#headersOf(probe) };
    this.lastSent = request;
    return request;
  }

  async #headersOf({ reference, headers = {}, credentials = this.credentials }: Probe) {
    const { version, versionHeader, clock } = this.options;
    const { token, signingKey } = credentials;
    const { pathname } = this.urlOf(reference);
    const all: Record<string, string | undefined> = {
      accept: "application/json",
      "accept-encoding": "identity",
      [versionHeader]: version,
      "Request-Id": newRequestId(),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(signingKey !== undefined && { "Jws-Signature": await signDetached(signingKey, pathname, clock) }),
      ...headers,
    };
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(present);
  }
}
