/** The endpoints, in the order of the documents. */
export const endpointNames = [
  "get-transaction",
  "list-transactions",
  "get-sell-order",
  "get-pass",
  "list-trades",
] as const;
export type EndpointName = (typeof endpointNames)[number];

/** The functions' time limit: between the shortest that a stage may set and the default. */
export const LIMIT_MS = 5_000;

/** A metric, beside those of every request, by which operators are told; with the level of the line that has it. */
interface Told {
  readonly metric: string;
  readonly level: "WARN" | "ERROR";
}

/** How an endpoint answers while something is wrong. */
export interface Outcome {
  /** What a table shows. */
  readonly cell: string;
  readonly status: number;
  /** Absent for a 200, and for an answer of the gateway's own. */
  readonly code?: string;
  readonly retryAfterMs?: number;
  readonly told?: readonly Told[];
  /** Whether there is no line of the function's own. */
  readonly isSilent?: true;
}

const failures = { metric: "Failures", level: "ERROR" } as const;
const noKeys = { metric: "KeySetRefreshFailed", level: "WARN" } as const;
const outage = { metric: "RateLimitOutage", level: "WARN" } as const;
const unavailable = { status: 503, code: "temporarily_unavailable" } as const;

export const outcomes = {
  served: { cell: "200", status: 200 },
  uncounted: { cell: "200 uncounted", status: 200, told: [outage] },
  keptKeys: { cell: "200 by kept keys", status: 200, told: [noKeys] },
  later: { cell: "503 in 1 s", ...unavailable, retryAfterMs: 1_000, told: [failures] },
  keyless: { cell: "503 in 5 s", ...unavailable, retryAfterMs: 5_000, told: [failures, noKeys] },
  refused: { cell: "401", status: 401, code: "invalid_credentials" },
  early: { cell: "409", status: 409, code: "timestamp_in_future" },
  broken: { cell: "500", status: 500, code: "internal_error", told: [failures] },
  crashed: { cell: "gateway's 500", status: 500, isSilent: true },
} as const satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof outcomes;

/** What each endpoint answers. */
export type Cells = Readonly<Record<EndpointName, OutcomeName>>;

export const everywhere = (outcome: OutcomeName): Cells =>
  Object.fromEntries(endpointNames.map((name) => [name, outcome])) as unknown as Cells;

/** The same on every endpoint whose callers come with tokens of an issuer, and as ever elsewhere. */
export const whereTokens = (outcome: OutcomeName): Cells => ({
  ...everywhere(outcome),
  "get-sell-order": "served",
  "list-trades": "served",
});

/** By when an answer must be there, with a second for a busy machine. */
export const ANSWERED_MS = LIMIT_MS + 1_000;

/** What becomes of a batch of messages, of which one has a record that can never be stored, while something is wrong. */
export interface IngestOutcome {
  /** What a table shows. */
  readonly cell: string;
  /** Which messages are received again: the good ones, the one with the bad record, all, or none. */
  readonly returned: "good" | "bad" | "all" | "none";
  /** The level of the lines about records that were returned; absent where there are none. */
  readonly level?: "WARN" | "ERROR";
}

export const ingestOutcomes = {
  stored: { cell: "stored", returned: "none" },
  returned: { cell: "returned", returned: "good", level: "WARN" },
  lasting: { cell: "returned, `ERROR`", returned: "good", level: "ERROR" },
  ended: { cell: "all returned", returned: "all" },
  rejected: { cell: "rejected", returned: "none" },
  unrejected: { cell: "returned", returned: "bad", level: "WARN" },
  refused: { cell: "returned, `ERROR`", returned: "bad", level: "ERROR" },
} as const satisfies Record<string, IngestOutcome>;

export type IngestOutcomeName = keyof typeof ingestOutcomes;
