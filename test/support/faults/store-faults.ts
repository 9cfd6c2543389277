import * as acts from "./acts.ts";
import type { Act, Heard } from "./fault-proxy.ts";
import type { IngestOutcomeName } from "./ingest-outcomes.ts";
import { type Cells, everywhere, type OutcomeName } from "./outcomes.ts";

/** The part of the store that a fault is in. */
export const parts = {
  whole: "every table",
  credentials: "only credentials",
  limits: "only limits",
  records: "only records",
  indexes: "only indexes",
} as const;
export type Part = keyof typeof parts;

/** Something that is wrong between functions and the store. */
export interface StoreFault {
  /** What is wrong, as the end of a sentence that begins with the store. */
  readonly what: string;
  /** `gone` for a store to which nothing can connect. */
  readonly act: Act | "gone";
  /** Whether requests do little but wait under it. */
  readonly waits?: true;
  /** The answers for each part that it is tried in. */
  readonly answers: Readonly<Partial<Record<Part, Cells>>>;
  /** How long callers still notice it after its end. */
  readonly lastsMs?: number;
  /** What becomes of messages with records; absent where the fault is in a part that no message needs. */
  readonly ingest?: IngestOutcomeName;
}

const answersOf = (outcomes: Readonly<Partial<Record<Part, OutcomeName>>>): StoreFault["answers"] =>
  Object.fromEntries(Object.entries(outcomes).map(([part, outcome]) => [part, everywhere(outcome)]));

/** No usable answer comes: requests fail, and limits are counted by each environment for itself. */
const unusable = answersOf({ whole: "later", limits: "uncounted", records: "later" });
const harmless = answersOf({ whole: "served", limits: "served", records: "served" });

/** A limit is a write to one item, which only its owner's requests make. */
const THROTTLED_MS = 1_000;

export const storeFaults: readonly StoreFault[] = [
  {
    what: "answers each call 0.15 s late",
    act: acts.slow(150),
    waits: true,
    answers: answersOf({ whole: "served" }),
    ingest: "stored",
  },
  {
    what: "answers each call 0.4 s late",
    act: acts.slow(400),
    waits: true,
    answers: answersOf({ whole: "uncounted", limits: "uncounted", records: "served" }),
    ingest: "stored",
  },
  {
    what: "answers each call a second late",
    act: acts.slow(1_000),
    waits: true,
    answers: answersOf({ whole: "later", limits: "uncounted" }),
    ingest: "returned",
  },
  { what: "does not answer", act: acts.silent, waits: true, answers: unusable, ingest: "returned" },
  { what: "refuses connections", act: "gone", answers: answersOf({ whole: "later" }), ingest: "returned" },
  {
    what: "fails with `InternalServerError`",
    act: acts.refused(500, "InternalServerError"),
    answers: { ...unusable, ...answersOf({ credentials: "later" }) },
    ingest: "returned",
  },
  {
    what: "fails with `ServiceUnavailable`",
    act: acts.refused(503, "ServiceUnavailable"),
    answers: unusable,
    ingest: "returned",
  },
  {
    what: "throttles a partition (`KeyRangeThroughputExceeded`)",
    act: acts.throttled("ThrottlingException", "TableReadKeyRangeThroughputExceeded"),
    waits: true,
    answers: answersOf({ records: "later" }),
    ingest: "returned",
  },
  {
    what: "throttles the writes of a partition (`KeyRangeThroughputExceeded`)",
    act: acts.throttled("ThrottlingException", "TableWriteKeyRangeThroughputExceeded"),
    waits: true,
    answers: answersOf({ limits: "later" }),
    lastsMs: THROTTLED_MS,
    ingest: "returned",
  },
  {
    what: "throttles a partition of an index (`KeyRangeThroughputExceeded`)",
    act: acts.throttled("ProvisionedThroughputExceededException", "IndexReadKeyRangeThroughputExceeded"),
    waits: true,
    answers: { indexes: { ...everywhere("served"), "list-transactions": "later" } },
  },
  {
    what: "throttles the account (`AccountLimitExceeded`)",
    act: acts.throttled("RequestLimitExceeded", "TableReadAccountLimitExceeded"),
    waits: true,
    answers: answersOf({ whole: "later", limits: "uncounted" }),
    ingest: "returned",
  },
  {
    what: "throttles the table (`MaxOnDemandThroughputExceeded`)",
    act: acts.throttled("ThrottlingException", "TableReadMaxOnDemandThroughputExceeded"),
    waits: true,
    answers: answersOf({ records: "later", limits: "uncounted" }),
    ingest: "returned",
  },
  {
    what: "resets each connection in place of an answer",
    act: acts.resetBefore,
    answers: { ...unusable, ...answersOf({ credentials: "later" }) },
    ingest: "returned",
  },
  {
    what: "ends each connection in the middle of an answer",
    act: acts.cut,
    answers: unusable,
    ingest: "returned",
  },
  {
    what: "falls silent in the middle of each answer",
    act: acts.stalled,
    waits: true,
    answers: unusable,
    ingest: "returned",
  },
  {
    what: "resets each connection after its answer",
    act: acts.resetAfter,
    answers: harmless,
    ingest: "stored",
  },
  { what: "answers with a web page", act: acts.webPage(200), answers: unusable, ingest: "returned" },
  { what: "answers with a web page and 502", act: acts.webPage(502), answers: unusable, ingest: "returned" },
  { what: "answers with half of a JSON text", act: acts.halved, answers: unusable, ingest: "returned" },
  {
    what: "answers with a text that its checksum does not fit",
    act: acts.wronglySummed,
    answers: unusable,
    ingest: "returned",
  },
  {
    what: "answers `{}`",
    act: acts.given(200, "{}"),
    answers: { ...unusable, ...answersOf({ credentials: "later" }) },
    ingest: "returned",
  },
  {
    what: "answers with the JSON of another service",
    act: acts.given(200, `{"status":"${acts.PLANTED}"}`),
    answers: unusable,
    ingest: "returned",
  },
  { what: "answers without an end", act: acts.endless, answers: unusable, ingest: "returned" },
];

/** The end of the name of the table that a request of a function names. */
const tableOf = ({ body }: Heard): string =>
  /"countinghouse-[a-z]+-([A-Za-z]+)"/.exec(body.toString())?.[1] ?? "";

const isForPart: Readonly<Record<Part, (heard: Heard) => boolean>> = {
  whole: () => true,
  credentials: (heard) => tableOf(heard) === "Credentials",
  limits: (heard) => tableOf(heard) === "RateLimits",
  records: (heard) => !["Credentials", "RateLimits", "Settings"].includes(tableOf(heard)),
  indexes: ({ body }) => body.includes('"IndexName"'),
};

/** Whether a request of a function is for a part of the store. */
export const isFor = (part: Part, heard: Heard): boolean => isForPart[part](heard);
