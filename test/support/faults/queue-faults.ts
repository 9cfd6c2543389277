import * as acts from "./acts.ts";
import type { Act } from "./fault-proxy.ts";
import type { IngestOutcomeName } from "./ingest-outcomes.ts";

/** Something that is wrong between the function that takes in messages and the queue for rejected records. */
export interface QueueFault {
  /** What is wrong, as the end of a sentence that begins with the queue. */
  readonly what: string;
  /** `gone` for a queue to which nothing can connect. */
  readonly act: Act | "gone";
  /** What becomes of a message with a record that has to be rejected. */
  readonly outcome: IngestOutcomeName;
  /** Whether the queue has taken the record, of which the function learns nothing. */
  readonly isTaken?: true;
}

export const queueFaults: readonly QueueFault[] = [
  { what: "answers each call a second late", act: acts.slow(1_000), outcome: "rejected" },
  { what: "does not answer", act: acts.silent, outcome: "unrejected" },
  { what: "refuses connections", act: "gone", outcome: "unrejected" },
  {
    what: "fails with `InternalFailure`",
    act: acts.refusedByQueue(500, "InternalFailure"),
    outcome: "unrejected",
  },
  {
    what: "fails with `ServiceUnavailable`",
    act: acts.refusedByQueue(503, "ServiceUnavailable"),
    outcome: "unrejected",
  },
  {
    what: "throttles (`RequestThrottled`)",
    act: acts.refusedByQueue(400, "RequestThrottled"),
    outcome: "unrejected",
  },
  {
    what: "answers that it did not take the message (`InternalError`)",
    act: acts.given(200, '{"Failed":[{"Id":"0","SenderFault":false,"Code":"InternalError"}]}'),
    outcome: "unrejected",
  },
  {
    what: "answers that the message is wrong (`InvalidMessageContents`)",
    act: acts.given(200, '{"Failed":[{"Id":"0","SenderFault":true,"Code":"InvalidMessageContents"}]}'),
    outcome: "refused",
  },
  {
    what: "misses a permission (`AccessDenied`)",
    act: acts.refusedByQueue(403, "AccessDenied"),
    outcome: "refused",
  },
  { what: "resets each connection in place of an answer", act: acts.resetBefore, outcome: "unrejected" },
  {
    what: "ends each connection in the middle of an answer",
    act: acts.cut,
    outcome: "unrejected",
    isTaken: true,
  },
  {
    what: "falls silent in the middle of each answer",
    act: acts.stalled,
    outcome: "unrejected",
    isTaken: true,
  },
  { what: "resets each connection after its answer", act: acts.resetAfter, outcome: "rejected" },
  { what: "answers with a web page", act: acts.webPage(200), outcome: "unrejected" },
  { what: "answers with a web page and 502", act: acts.webPage(502), outcome: "unrejected" },
  { what: "answers with half of a JSON text", act: acts.halved, outcome: "unrejected", isTaken: true },
  {
    what: "answers with the digest of another message",
    act: acts.wronglyDigested,
    outcome: "unrejected",
    isTaken: true,
  },
  { what: "answers `{}`", act: acts.given(200, "{}"), outcome: "unrejected" },
  {
    what: "answers with the JSON of another service",
    act: acts.given(200, `{"status":"${acts.PLANTED}"}`),
    outcome: "unrejected",
  },
  { what: "answers without an end", act: acts.endless, outcome: "unrejected" },
];
