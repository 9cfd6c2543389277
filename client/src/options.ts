import type { PrivateJwk, PrivateKey, Sign } from "./ed25519.ts";
import type { CountinghouseError } from "./error.ts";
import type { Platform } from "./platform.ts";
import type { RetryOptions } from "./retry.ts";
import { aFunction, aSignal } from "./rules.ts";
import type { DeprecationWarning } from "./warning.ts";

/** Options of any request. */
export interface CallOptions {
  /** Aborts the request, and every wait of it. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each wait for tokens, or before a repetition, when it begins: its milliseconds, and the failure that is repeated. */
  readonly onWait?: ((ms: number, failure?: CountinghouseError) => void) | undefined;
}

/** What {@link CallOptions} must be. */
export const callRules = { signal: aSignal, onWait: aFunction } as const;

/** An access token, or a function that gives the present one. The function is called for each request, for `timeoutMs` at most. */
export type AccessToken = string | (() => string | Promise<string>);

/** Credentials of the business interface. */
export interface BusinessOptions {
  readonly accessToken: AccessToken;
}

/** Credentials of the pass interface. A client certificate belongs to the connection: give a `fetch` that has it. */
export interface PassesOptions {
  readonly accessToken?: AccessToken;
  /** An Ed25519 key that signs each request: a private JWK with its `kid`. */
  readonly jws?: PrivateJwk & { readonly kid: string };
  /** Makes the value of `Jws-Signature` for a request, by a key of another kind or in another place. */
  readonly signJws?: (request: { readonly method: "GET"; readonly url: URL }) => Promise<string> | string;
  /** The version of the contract that the program speaks. Default: the latest one. */
  readonly serviceApiVersion?: string;
  /** The header that carries the version, if the deployment has another one than `Service-Api-Version`. */
  readonly versionHeader?: string;
}

/** Credentials of the exchange: the API key, and the private key whose public half was registered with it. */
export type ExchangeOptions = {
  readonly apiKey: string;
  /** What the names of the three headers begin with, if the deployment has another prefix than `X-Svc-`. */
  readonly headerPrefix?: string;
} & ({ readonly privateKey: PrivateKey } | { readonly sign: Sign });

/** Credentials of the ramp. */
export interface RampOptions {
  readonly apiKey: string;
}

/** Where the service is, the credentials of the interfaces that the program uses, and how patient the client is. */
export interface CountinghouseOptions extends Partial<Platform> {
  /** What stands before every route: the origin, and the base path if there is one. */
  readonly baseUrl: string | URL;
  readonly business?: BusinessOptions;
  readonly passes?: PassesOptions;
  readonly exchange?: ExchangeOptions;
  readonly ramp?: RampOptions;
  /**
   * The longest time from the sending of a request to the end of its answer, and that of a function for a credential, in
   * milliseconds. Default: 30,000.
   */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Told of each endpoint that is going to be removed. Default: `console.warn`. */
  readonly onWarning?: (warning: DeprecationWarning) => void;
}
