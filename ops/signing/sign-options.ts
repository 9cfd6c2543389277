import type { StoreOptions } from "../store/store-options.ts";

/** The options of `sign`: what a request is signed with, or what it was sent with and is judged by. */
export interface SignOptions extends StoreOptions {
  readonly json?: true;
  readonly apiKey?: string;
  readonly privateKey?: string;
  readonly publicKey?: string;
  readonly curl?: true;
  readonly curlOptions?: true;
  /** Epoch milliseconds. */
  readonly signedAt?: number;
  readonly explain?: true;
  readonly header: Readonly<Record<string, string>>;
  readonly body?: true;
  readonly judgedAt?: number;
  readonly headerPrefix?: string;
  readonly basePath?: string;
}
