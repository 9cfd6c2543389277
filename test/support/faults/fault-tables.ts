import { DISK_FULL_EXCEPTION } from "../../../local/store/full-disk.ts";
import * as acts from "./acts.ts";
import type { Act, Heard } from "./fault-proxy.ts";
import { type Cells, everywhere, type IngestOutcomeName, type OutcomeName, whereTokens } from "./outcomes.ts";

/** Something that is wrong with a server that functions call. */
interface Fault {
  /** What is wrong, as the end of a sentence that begins with the server. */
  readonly what: string;
  /** `gone` for a server to which nothing can connect. */
  readonly act: Act | "gone";
}

/** Whether requests do little but wait under a fault. */
interface Waiting {
  readonly waits?: true;
}
const WAITS = { waits: true } as const;

/** A wrong answer: the row of a table about it. */
const row = <More extends object>(what: string, act: Fault["act"], more: More): Fault & More => ({
  what,
  act,
  ...more,
});

/** The part of the store that a fault is in. */
export const parts = {
  whole: "every table",
  credentials: "only credentials",
  limits: "only limits",
  records: "only records",
  indexes: "only indexes",
} as const;
export type Part = keyof typeof parts;

interface StoreFault extends Fault, Waiting {
  /** The answers for each part that it is tried in. */
  readonly answers: Readonly<Partial<Record<Part, Cells>>>;
  /** How long callers still notice it after its end. */
  readonly lastsMs?: number;
  /** What becomes of messages with records; absent where the fault is in a part that no message needs. */
  readonly ingest?: IngestOutcomeName;
}

/** The same on every endpoint, for each part. */
const answers = (outcomes: Readonly<Partial<Record<Part, OutcomeName>>>): Pick<StoreFault, "answers"> => ({
  answers: Object.fromEntries(Object.entries(outcomes).map(([part, outcome]) => [part, everywhere(outcome)])),
});

const stored = { ingest: "stored" } as const;
const returned = { ingest: "returned" } as const;
/** No usable answer comes: requests fail, and limits are counted by each environment for itself. */
const UNUSABLE = { whole: "later", limits: "uncounted", records: "later" } as const;
const unusable = { ...answers(UNUSABLE), ...returned };
const unusableEverywhere = { ...answers({ ...UNUSABLE, credentials: "later" }), ...returned };

/** A limit is a write to one item, which only its owner's requests make. */
const THROTTLED_MS = 1_000;

export const storeFaults: readonly StoreFault[] = [
  row("answers each call 0.15 s late", acts.slow(150), {
    ...WAITS,
    ...answers({ whole: "served" }),
    ...stored,
  }),
  row("answers each call 0.4 s late", acts.slow(400), {
    ...WAITS,
    ...answers({ whole: "uncounted", limits: "uncounted", records: "served" }),
    ...stored,
  }),
  row("answers each call a second late", acts.slow(1_000), {
    ...WAITS,
    ...answers({ whole: "later", limits: "uncounted" }),
    ...returned,
  }),
  row("does not answer", acts.silent, { ...WAITS, ...unusable }),
  row("refuses connections", "gone", { ...answers({ whole: "later" }), ...returned }),
  row("fails with `InternalServerError`", acts.refused(500, "InternalServerError"), unusableEverywhere),
  row("fails with `ServiceUnavailable`", acts.refused(503, "ServiceUnavailable"), unusable),
  row(
    "throttles a partition (`KeyRangeThroughputExceeded`)",
    acts.throttled("ThrottlingException", "TableReadKeyRangeThroughputExceeded"),
    { ...WAITS, ...answers({ records: "later" }), ...returned },
  ),
  row(
    "throttles the writes of a partition (`KeyRangeThroughputExceeded`)",
    acts.throttled("ThrottlingException", "TableWriteKeyRangeThroughputExceeded"),
    { ...WAITS, ...answers({ limits: "later" }), lastsMs: THROTTLED_MS, ...returned },
  ),
  row(
    "throttles a partition of an index (`KeyRangeThroughputExceeded`)",
    acts.throttled("ProvisionedThroughputExceededException", "IndexReadKeyRangeThroughputExceeded"),
    { ...WAITS, answers: { indexes: { ...everywhere("served"), "list-transactions": "later" } } },
  ),
  row(
    "throttles the account (`AccountLimitExceeded`)",
    acts.throttled("RequestLimitExceeded", "TableReadAccountLimitExceeded"),
    { ...WAITS, ...answers({ whole: "later", limits: "uncounted" }), ...returned },
  ),
  row(
    "throttles the table (`MaxOnDemandThroughputExceeded`)",
    acts.throttled("ThrottlingException", "TableReadMaxOnDemandThroughputExceeded"),
    { ...WAITS, ...answers({ records: "later", limits: "uncounted" }), ...returned },
  ),
  row("resets each connection in place of an answer", acts.resetBefore, unusableEverywhere),
  row("ends each connection in the middle of an answer", acts.cut, unusable),
  row("falls silent in the middle of each answer", acts.stalled, { ...WAITS, ...unusable }),
  row("resets each connection after its answer", acts.resetAfter, {
    ...answers({ whole: "served", limits: "served", records: "served" }),
    ...stored,
  }),
  row("answers with a web page", acts.webPage(200), unusable),
  row("answers with a web page and 502", acts.webPage(502), unusable),
  row("answers with half of a JSON text", acts.halved, unusable),
  row("answers with a text that its checksum does not fit", acts.wronglySummed, unusable),
  row("answers `{}`", acts.given(200, "{}"), unusableEverywhere),
  row("answers with the JSON of another service", acts.given(200, `{"status":"${acts.PLANTED}"}`), unusable),
  row("answers without an end", acts.endless, unusable),
];

/** What the store of `npm start` answers when its disk is full. */
export const fullDisk = {
  what: "has a full disk",
  act: acts.refused(400, DISK_FULL_EXCEPTION),
  answers: everywhere("broken"),
  ingest: "lasting",
} as const;

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

/** What becomes of a message with a record that has to be rejected. */
const becomes = (outcome: IngestOutcomeName) => ({ outcome });
const unrejected = becomes("unrejected");
/** The queue has taken the record, of which the function learns nothing. */
const taken = { ...unrejected, isTaken: true };

/** What can be wrong with the queue for rejected records. */
export const queueFaults: readonly (Fault & {
  readonly outcome: IngestOutcomeName;
  readonly isTaken?: boolean;
})[] = [
  row("answers each call a second late", acts.slow(1_000), becomes("rejected")),
  row("does not answer", acts.silent, unrejected),
  row("refuses connections", "gone", unrejected),
  row("fails with `InternalFailure`", acts.refusedByQueue(500, "InternalFailure"), unrejected),
  row("fails with `ServiceUnavailable`", acts.refusedByQueue(503, "ServiceUnavailable"), unrejected),
  row("throttles (`RequestThrottled`)", acts.refusedByQueue(400, "RequestThrottled"), unrejected),
  row(
    "answers that it did not take the message (`InternalError`)",
    acts.given(200, '{"Failed":[{"Id":"0","SenderFault":false,"Code":"InternalError"}]}'),
    unrejected,
  ),
  row(
    "answers that the message is wrong (`InvalidMessageContents`)",
    acts.given(200, '{"Failed":[{"Id":"0","SenderFault":true,"Code":"InvalidMessageContents"}]}'),
    becomes("refused"),
  ),
  row("misses a permission (`AccessDenied`)", acts.refusedByQueue(403, "AccessDenied"), becomes("refused")),
  row("resets each connection in place of an answer", acts.resetBefore, unrejected),
  row("ends each connection in the middle of an answer", acts.cut, taken),
  row("falls silent in the middle of each answer", acts.stalled, taken),
  row("resets each connection after its answer", acts.resetAfter, becomes("rejected")),
  row("answers with a web page", acts.webPage(200), unrejected),
  row("answers with a web page and 502", acts.webPage(502), unrejected),
  row("answers with half of a JSON text", acts.halved, taken),
  row("answers with the digest of another message", acts.wronglyDigested, taken),
  row("answers `{}`", acts.given(200, "{}"), unrejected),
  row(
    "answers with the JSON of another service",
    acts.given(200, `{"status":"${acts.PLANTED}"}`),
    unrejected,
  ),
  row("answers without an end", acts.endless, unrejected),
];

const MINUTE_MS = 60_000;

/** How old the keys are that functions have when a fault begins. */
export const keyAges = {
  none: { ageMs: 25 * 60 * MINUTE_MS, what: "no keys of the last day" },
  old: { ageMs: 11 * MINUTE_MS, what: "keys older than ten minutes" },
  fresh: { ageMs: 0, what: "younger keys" },
} as const;
export type KeyAge = keyof typeof keyAges;

interface IssuerFault extends Fault, Waiting {
  /** The answers by the age of the keys that functions have. */
  readonly answers: Readonly<Partial<Record<KeyAge, Cells>>>;
}

/** How long after a failed fetch without any keys the issuer is not asked again. */
export const KEYLESS_MS = 5_000;

const noNewKeys = { answers: { none: whereTokens("keyless"), old: whereTokens("keptKeys") } };
const aged = { answers: { none: whereTokens("served"), old: whereTokens("served") } };

export const issuerFaults: readonly IssuerFault[] = [
  row("refuses connections", "gone", { answers: { ...noNewKeys.answers, fresh: everywhere("served") } }),
  row("does not answer", acts.silent, { ...WAITS, ...noNewKeys }),
  row("answers half a second late", acts.slow(500), { ...WAITS, ...aged }),
  row("answers with 500", acts.given(500, "{}"), noNewKeys),
  row("resets each connection in place of an answer", acts.resetBefore, noNewKeys),
  row("ends each connection in the middle of an answer", acts.cut, noNewKeys),
  row("falls silent in the middle of each answer", acts.stalled, { ...WAITS, ...noNewKeys }),
  row("answers with a web page", acts.webPage(200), noNewKeys),
  row("answers with half of a JSON text", acts.halved, noNewKeys),
  row("publishes no key", acts.given(200, '{"keys":[]}'), noNewKeys),
  row("answers without an end", acts.endless, noNewKeys),
];

const HOUR_MS = 60 * MINUTE_MS;

/** A wrong clock of the functions. That of their callers is wrong by the same in the other direction. */
interface ClockFault {
  readonly what: string;
  readonly aheadMs: number;
  /** How long the callers' tokens last; by default for a month. */
  readonly tokenLifeS?: number;
  readonly answers: Cells;
  /** What becomes of messages with records; absent where the fault is the callers' alone. */
  readonly ingest?: IngestOutcomeName;
}

export const clockFaults: readonly ClockFault[] = [
  {
    what: "is an hour ahead",
    aheadMs: HOUR_MS,
    answers: { ...everywhere("served"), "list-trades": "refused" },
    ...stored,
  },
  {
    what: "is an hour ahead, and tokens last for half an hour",
    aheadMs: HOUR_MS,
    tokenLifeS: 1_800,
    answers: { ...whereTokens("refused"), "list-trades": "refused" },
  },
  {
    what: "is an hour behind",
    aheadMs: -HOUR_MS,
    answers: { ...whereTokens("refused"), "list-trades": "early" },
    ...stored,
  },
];

const ended = { answers: everywhere("crashed"), ingest: "ended" } as const;

/** The end of the thread, or of the process, that works on a request. */
export const threadFaults = [
  { what: "is killed", endsBy: "killed", ...ended },
  { what: "needs more memory than it has", endsBy: "out of memory", ...ended },
] as const;
