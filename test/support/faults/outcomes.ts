import { type EndpointName, endpointNames } from "./endpoint-names.ts";

/** The functions' time limit: between the shortest that a stage may set and the default. */
export const LIMIT_MS = 5_000;

/** How an endpoint answers while something is wrong. */
export interface Outcome {
  /** What a table shows. */
  readonly cell: string;
  readonly status: number;
  /** Absent for a 200, and for an answer of the gateway's own. */
  readonly code?: string;
  readonly retryAfterMs?: number;
  /** The metric, beside those of every request, by which operators are told; with the level of the line that has it. */
  readonly told?: { readonly metric: string; readonly level: "WARN" | "ERROR" };
  /** Another one. */
  readonly alsoTold?: { readonly metric: string; readonly level: "WARN" | "ERROR" };
  /** Whether the function's own line is there. */
  readonly isLogged: boolean;
}

const failures = { metric: "Failures", level: "ERROR" } as const;
const noKeys = { metric: "KeySetRefreshFailed", level: "WARN" } as const;

export const outcomes = {
  served: { cell: "200", status: 200, isLogged: true },
  uncounted: {
    cell: "200 uncounted",
    status: 200,
    told: { metric: "RateLimitOutage", level: "WARN" },
    isLogged: true,
  },
  keptKeys: { cell: "200 by kept keys", status: 200, told: noKeys, isLogged: true },
  later: {
    cell: "503 in 1 s",
    status: 503,
    code: "temporarily_unavailable",
    retryAfterMs: 1_000,
    told: failures,
    isLogged: true,
  },
  keyless: {
    cell: "503 in 5 s",
    status: 503,
    code: "temporarily_unavailable",
    retryAfterMs: 5_000,
    told: failures,
    alsoTold: noKeys,
    isLogged: true,
  },
  refused: { cell: "401", status: 401, code: "invalid_credentials", isLogged: true },
  early: { cell: "409", status: 409, code: "timestamp_in_future", isLogged: true },
  broken: { cell: "500", status: 500, code: "internal_error", told: failures, isLogged: true },
  crashed: { cell: "gateway's 500", status: 500, isLogged: false },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof outcomes;

/** What each endpoint answers. */
export type Cells = Readonly<Record<EndpointName, OutcomeName>>;

export const everywhere = (outcome: OutcomeName): Cells =>
  Object.fromEntries(endpointNames.map((name) => [name, outcome])) as unknown as Cells;

/** The endpoints whose callers come with tokens of an issuer. */
const tokenEndpoints: readonly EndpointName[] = ["get-transaction", "list-transactions", "get-pass"];

/** The same on every endpoint with tokens, and as ever elsewhere. */
export const whereTokens = (outcome: OutcomeName): Cells => ({
  ...everywhere("served"),
  ...Object.fromEntries(tokenEndpoints.map((name) => [name, outcome])),
});

/** By when an answer must be there, with a second for a busy machine. */
export const ANSWERED_MS = LIMIT_MS + 1_000;
