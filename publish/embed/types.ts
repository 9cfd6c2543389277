import type { Brand } from "../../lib/brand.ts";
import type {
  BusinessSection,
  DemoFile,
  ExchangeSection,
  PassesSection,
  RampSection,
} from "../../local/demo/demo-file.ts";

/** A private key as a JSON Web Key, with the `kid` and `alg` that it is known by. */
export interface PrivateKey {
  readonly kty: string;
  readonly crv: string;
  readonly kid: string;
  readonly alg: string;
  readonly x: string;
  readonly y?: string;
  readonly d: string;
}

/** All that a caller needs, one section for each interface: as in `demo.json`, with keys in place of their files. */
export interface Credentials {
  readonly issuer: Omit<DemoFile["issuer"], "keyFile"> & {
    /** Signs tokens that the world accepts, for tests that make their own. */
    readonly privateKey: PrivateKey;
  };
  readonly business: BusinessSection;
  readonly ramp: RampSection;
  readonly exchange: Omit<ExchangeSection, "privateKeyFile" | "publicKeyFile"> & {
    /** PEM (PKCS #8). */
    readonly privateKey: string;
    /** PEM (SPKI). */
    readonly publicKey: string;
  };
  readonly passes: Omit<PassesSection, "mtls" | "jws"> & {
    readonly mtls: {
      /** What stands before every route for clients with certificates. */
      readonly url: string;
      /** PEM: the authority by which a client judges the server's certificate. */
      readonly ca: string;
      /** PEM: a client's certificate and key that prove the wallet. */
      readonly cert: string;
      readonly key: string;
      /** PEM: those of a client of the same authority that is registered for nobody. */
      readonly otherCert: string;
      readonly otherKey: string;
    };
    readonly jws: { readonly privateKey: PrivateKey; readonly kid: string };
  };
}

/** What a world differs in from the others. */
export interface WorldOptions {
  /**
   * The instant at which the world begins: a date, epoch milliseconds, or ISO 8601 with a zone. The machine's time unless
   * given.
   */
  readonly now?: Date | number | string;
  /** `false` for a world without the demo's records: credentials are valid, and their ids name nothing. */
  readonly demo?: boolean;
  /** `true` puts one thing that the contracts allow to come into each answer; its header `X-Local-Tomorrow` names it. */
  readonly tomorrow?: boolean;
  /** The names that a deployment may set; those of the contracts unless given. */
  readonly brand?: Partial<Brand>;
}

/** The settings of a countinghouse. Its own world, and each other one unless told otherwise, has them. */
export interface StartOptions extends WorldOptions {
  /** What all keys and API keys are derived from: the same seed makes the same ones. `countinghouse` unless given. */
  readonly seed?: string;
  /** Origins whose browser programs may read answers. */
  readonly corsOrigins?: readonly string[];
  /** Receives a line for each request, and lines of functions that fail; nothing is printed. */
  readonly log?: (line: string, world: string) => void;
}

/** An access token to issue: for a business unless a wallet is named. */
export interface TokenOrder {
  /** The business that the token speaks for; that of the credentials unless given. */
  readonly business?: string;
  /** The wallet service that the token speaks for, as `passes.walletId` of the credentials. */
  readonly wallet?: string;
  /** `transactions.read`, or `passes.read` for a wallet, unless given. */
  readonly scopes?: readonly string[];
  /** Seconds until it expires, by the world's clock; 30 days unless given. */
  readonly expiresInS?: number;
  /** The interface that the token is for, if not the one of its scopes. */
  readonly audience?: string;
}

/** The kinds of records that can be imported. */
export type RecordKind = "transactions" | "sell-orders" | "passes" | "trades";

/** Records to import. */
export interface ImportOrder {
  /** The business of transactions, or the partner of sell orders; that of the credentials unless given. */
  readonly owner?: string;
  /** The market of trades; that of the credentials unless given. A market that is not listed yet is listed. */
  readonly market?: string;
  /** Documents, or one JSON document a line. Only text keeps every digit: a number of more than 15 digits is refused. */
  readonly records: readonly object[] | string;
}

/**
 * How many records had each outcome, as `import` counts them: each is written, corrected, unchanged, stale or refused, and
 * the other counts are of some of them.
 */
export interface ImportReport {
  /** Readers now see the record. */
  readonly written: number;
  /** Those of the written ones that took an unusual step. */
  readonly unusual: number;
  /** Readers now see the record in place of a version that would otherwise have stayed. */
  readonly corrected: number;
  /** Readers saw exactly this before. */
  readonly unchanged: number;
  /** What is stored is newer, or a correction, and stays. */
  readonly stale: number;
  /** Trades that share their instant and id with another one. */
  readonly double: number;
  /** Corrections and withdrawals of trades that are not there. */
  readonly missed: number;
  /** Not taken in; `refusals` has each. */
  readonly refused: number;
  /** Why each refused record was refused; the first record is line 1. */
  readonly refusals: readonly { readonly line: number; readonly reason: string }[];
}

/** A step that a record has taken. */
export interface AdvanceReport {
  /** `sell order`, `transaction` or `pass`. */
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** How often, and for how long, requests meet a fault. */
export interface FaultOptions {
  /** The most requests that meet it; any number unless given. */
  readonly times?: number;
  /** It meets one request in so many, on average; every one unless given. */
  readonly oneIn?: number;
  /** By how many milliseconds the fault `slow` delays an answer. */
  readonly byMs?: number;
  /** How many milliseconds it lasts by the world's clock; until it is cleared unless given. */
  readonly forMs?: number;
}

/** A countinghouse of its own: data, keys, budgets, clock and faults that no other world shares. */
export interface World {
  readonly name: string;
  /** What stands before every route: origin and base path. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** The time in this world, in epoch milliseconds. Clients sign with it. */
  now(): number;
  /** Moves the world's clock on by some milliseconds. Resolves with the new time. */
  passTime(ms: number): Promise<number>;
  /** Signs an access token. */
  issueToken(order?: TokenOrder): Promise<string>;
  /** Imports records with the rules of an import. A refused record is not an error: the report has its reason. */
  importRecords(kind: RecordKind, order: ImportOrder): Promise<ImportReport>;
  /** Moves a record to its next state, or to a state that it can reach. */
  advance(id: string, to?: string): Promise<AdvanceReport>;
  /** Lets requests of an endpoint, or of `all`, meet a fault. */
  fault(endpoint: string, kind: string, options?: FaultOptions): Promise<void>;
  /** Ends the faults of an endpoint, or all of them. Resolves with how many there were. */
  clearFaults(endpoint?: string): Promise<number>;
  /** Puts data, budgets, clock and faults back to what they were at the start. The credentials stay valid. */
  reset(): Promise<void>;
  /** Ends the world, once the answers under way are finished, or after a second. A second call changes nothing. */
  close(): Promise<void>;
  /** Closes it at the end of a block: `await using world = …`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A running countinghouse. It is a world itself, and makes others beside it. */
export interface Countinghouse extends World {
  /** Opens a world of its own. The same seed and name make the same world again. */
  world(name: string, options?: WorldOptions): Promise<World>;
}
