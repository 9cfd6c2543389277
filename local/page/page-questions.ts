import type { Brand } from "../../lib/brand.ts";
import type { BusinessSection, ExchangeSection, PassesSection, RampSection } from "../demo/demo-file.ts";
import type { ListedFault, WantedFault } from "../faults/fault-routes.ts";
import type { Explanation } from "../history/explain-route.ts";
import type { ResetReport } from "../reset/reset-routes.ts";
import type { ToldTime } from "../time/time-routes.ts";

/** A private Ed25519 key as a JSON Web Key (RFC 8037), with which the page signs as a client does. */
export interface Ed25519Jwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly d: string;
}

/** The sections of `demo.json`, with the two private keys that the page signs with in place of their paths. */
export interface PageCredentials {
  readonly business: BusinessSection;
  readonly ramp: RampSection;
  readonly passes: Omit<PassesSection, "jws"> & {
    readonly jws: { readonly kid: string; readonly privateJwk: Ed25519Jwk };
  };
  readonly exchange: Omit<ExchangeSection, "privateKeyFile" | "publicKeyFile"> & {
    readonly privateJwk: Ed25519Jwk;
  };
}

/** A parameter of an endpoint, as the OpenAPI document describes it. */
export interface SessionParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  readonly isDeprecated: boolean;
  readonly text: string;
  /** Absent where the document has no example. */
  readonly example?: string;
  /** What counts where the parameter is left out; absent where that is not one value. */
  readonly default?: string;
  /** The values that are taken, where only some are. */
  readonly choices?: readonly string[];
}

/** An endpoint that can be asked. */
export interface SessionEndpoint {
  readonly name: string;
  readonly method: "GET";
  /** Route with `{name}` placeholders, without the base path. */
  readonly route: string;
  readonly scheme: "Bearer" | "ApiKey" | "Signature";
  /** The credentials of which a request shows one, in words. */
  readonly security: readonly string[];
  readonly scope: string | null;
  readonly title: string;
  readonly parameters: readonly SessionParameter[];
  readonly retryAfterUnit: "milliseconds" | "seconds";
  /** The limit that requests are charged to. */
  readonly limit: {
    readonly name: string;
    readonly buckets: readonly {
      readonly name: string;
      readonly burst: number;
      readonly refillTokens: number;
      readonly refillWindowMs: number;
    }[];
  };
}

/** What this start serves, and to whom. */
export interface Session {
  readonly baseUrl: string;
  readonly mutualTlsUrl: string;
  readonly brand: Brand;
  readonly credentials: PageCredentials;
  readonly endpoints: readonly SessionEndpoint[];
  /** The symbols of all markets that are listed, in order: the demo's, and what was imported. */
  readonly markets: readonly string[];
  /** How people call the programs here: `start` as this start was called, the others before options and before a command. */
  readonly commands: { readonly start: string; readonly startWith: string; readonly ops: string };
  /** The faults that can be switched on, with what a caller sees of each. */
  readonly faultKinds: readonly { readonly name: string; readonly effect: string }[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** How many milliseconds the service's time is ahead of the machine's. */
  readonly aheadMs: number;
}

/** The state of a record of the demo. */
export interface RecordState {
  readonly kind: "sell order" | "transaction" | "pass";
  readonly id: string;
  readonly state: string;
  /** The states that it can proceed to; the first is the next one. Empty for a final state. */
  readonly next: readonly string[];
}

/** A record that has proceeded. */
export interface AdvancedRecord extends RecordState {
  readonly from: string;
  /** Why the domain calls the step unusual; null for a usual one. */
  readonly unusual: string | null;
}

interface Question<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

type Nothing = Readonly<Record<string, never>>;

/** Every question that the page may ask the local server, by its name. */
export interface Questions {
  /** After a reset the credentials may be new, so that it is asked again. */
  readonly session: Question<Nothing, Session>;
  /**
   * Asked all the time, so that the page notices when the server is gone, or another start has taken its place, which
   * faults were set and not cleared, which market goes on with live trades, and when somebody has moved the service's time.
   */
  readonly alive: Question<
    Nothing,
    { readonly faults: readonly ListedFault[]; readonly liveMarket: string | null } & Pick<
      ToldTime,
      "aheadMs"
    >
  >;
  readonly time: Question<{ readonly to: string }, ToldTime>;
  readonly state: Question<{ readonly id: string }, RecordState>;
  readonly advance: Question<{ readonly id: string; readonly to?: string }, AdvancedRecord>;
  readonly token: Question<WantedToken, { readonly token: string }>;
  readonly "set-fault": Question<WantedFault, readonly ListedFault[]>;
  readonly "clear-faults": Question<{ readonly route?: string }, { readonly cleared: number }>;
  readonly explain: Question<
    { readonly id: string },
    { readonly explanation?: Explanation; readonly remembered: number }
  >;
  /** What to do about an answer, in the words of docs/errors.md; without a code it is the gateway's own. */
  readonly advice: Question<{ readonly status: number; readonly code?: string }, { readonly advice: string }>;
  /** What is wrong with a signed request of the exchange; `judgedAt` is the `timestamp` of its answer. */
  readonly "explain-signature": Question<
    {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly judgedAt: number;
    },
    { readonly findings: readonly string[] }
  >;
  readonly reset: Question<Nothing, ResetReport>;
  /** Lets a market of the demo go on, or stops it; the market that goes on then. */
  readonly "trades-live": Question<
    { readonly market: string; readonly perSecond: number } | { readonly stop: true },
    { readonly market: string | null }
  >;
}

/** A token to sign for the demo's business or wallet. */
interface WantedToken {
  readonly for: "business" | "wallet";
  /** By default the scope that reading takes. */
  readonly scope?: string;
  /** By default 30 days; a negative number is a token that has expired. */
  readonly expiresInS?: number;
  /** By default the interface's own. */
  readonly audience?: string;
}

export type QuestionName = keyof Questions;

/** A request that was answered, as the live log of the page tells it. It has no credential and no body. */
export interface LogEvent {
  readonly requestId: string;
  /** When the request arrived, in epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  /** Path and query, with what may be a credential hidden. */
  readonly target: string;
  /** The endpoint's name; null where no route fits. */
  readonly endpoint: string | null;
  /** 0 for a connection that was reset in place of an answer. */
  readonly status: number;
  readonly tookMs: number;
  /** DynamoDB's units, reads and writes together; absent for a page that a deployment does not have. */
  readonly billedUnits?: number;
  readonly hints: readonly string[];
  /** The name of the fault that the request met. */
  readonly fault: string | null;
  /** The code of a refusal. */
  readonly error: string | null;
}
