import { randomUUID } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { exchange, type SeenResponse, type TlsFiles } from "./http-exchange.ts";
import { type SigningKey, signDetached } from "./jws-signer.ts";

/** What proves the caller; any of them may be missing. */
export interface WalletCredentials {
  readonly token?: string;
  readonly signingKey?: SigningKey;
  /** PEM of the client certificate and its key, and of the authorities that the server's certificate is judged by. */
  readonly tls: TlsFiles;
}

export interface WalletOptions {
  /** What stands before `/passes/{partner_reference}`. */
  readonly baseUrl: URL;
  readonly credentials: WalletCredentials;
  readonly version: string;
  readonly versionHeader: string;
  readonly clock: Clock;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** One request, as far as it differs from a plain one with every credential. */
export interface Probe {
  readonly reference: string;
  /** Headers to add or, when undefined, to leave out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** In place of the wallet's own credentials. */
  readonly credentials?: WalletCredentials;
}

/** How often a 429 or 503 is waited out, and for how long at most, before it counts as the answer. */
const WAITS_MAX = 3;
const WAIT_MS_MAX = 30_000;

/** The wait that a 429 or 503 asks for, in milliseconds; undefined when it names no whole number of seconds. */
export function retryAfterMs({ headers }: SeenResponse): number | undefined {
  const text = headers["retry-after"] ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
}

export const isBusy = ({ status }: SeenResponse): boolean => status === 429 || status === 503;

/** Calls a pass endpoint as the wallet service does. */
export class Wallet {
  readonly credentials: WalletCredentials;
  readonly #options: WalletOptions;

  constructor(options: WalletOptions) {
    this.#options = options;
    this.credentials = options.credentials;
  }

  /** The address of a pass. */
  urlOf(reference: string): URL {
    const { baseUrl } = this.#options;
    // A colon stands as it is (RFC 3986 3.3): servers may sign and compare the decoded path.
    const segment = encodeURIComponent(reference).replaceAll("%3A", ":");
    return new URL(`${baseUrl.href.replace(/\/$/, "")}/passes/${segment}`);
  }

  /** One request, exactly once. @throws {NoAnswer} */
  async send({ reference, headers = {}, credentials = this.credentials }: Probe): Promise<SeenResponse> {
    const { version, versionHeader, clock } = this.#options;
    const url = this.urlOf(reference);
    const { token, signingKey, tls } = credentials;
    const all: Record<string, string | undefined> = {
      accept: "application/json",
      [versionHeader]: version,
      "Request-Id": `check-${randomUUID()}`,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(signingKey && { "Jws-Signature": await signDetached(signingKey, url.pathname, clock) }),
      ...headers,
    };
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return exchange(url, Object.fromEntries(present), tls);
  }

  /** One request, again after the wait that a 429 or 503 asks for, a few times. @throws {NoAnswer} */
  async get(probe: Probe): Promise<SeenResponse> {
    let response = await this.send(probe);
    for (let waited = 0; waited < WAITS_MAX && isBusy(response); waited++) {
      const waitMs = retryAfterMs(response);
      if (waitMs === undefined || waitMs > WAIT_MS_MAX) break;
      await this.wait(waitMs);
      response = await this.send(probe);
    }
    return response;
  }

  async wait(ms: number): Promise<void> {
    await this.#options.wait(ms);
  }
}
