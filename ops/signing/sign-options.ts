import type { StoreOptions } from "../store/store-options.ts";

/** What the command line of `sign` says: the request, and what it is signed with or judged by. */
export interface SignOptions extends StoreOptions {
  readonly apiKey?: string;
  readonly privateKey?: string;
  readonly publicKey?: string;
  readonly curl?: true;
  readonly curlOptions?: true;
  readonly explain?: true;
  readonly header: Readonly<Record<string, string>>;
  readonly body?: true;
  readonly judgedAt?: number;
  readonly headerPrefix?: string;
  readonly basePath?: string;
}
