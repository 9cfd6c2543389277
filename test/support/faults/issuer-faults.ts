import * as acts from "./acts.ts";
import type { Act } from "./fault-proxy.ts";
import { type Cells, everywhere, type OutcomeName, whereTokens } from "./outcomes.ts";

const MINUTE_MS = 60_000;

/** How old the keys are that functions have when a fault begins. */
export const keyAges = {
  none: { ageMs: 25 * 60 * MINUTE_MS, what: "no keys of the last day" },
  old: { ageMs: 11 * MINUTE_MS, what: "keys older than ten minutes" },
  fresh: { ageMs: 0, what: "younger keys" },
} as const;
export type KeyAge = keyof typeof keyAges;

/** Something that is wrong between functions and the token issuer. */
export interface IssuerFault {
  /** What is wrong, as the end of a sentence that begins with the issuer. */
  readonly what: string;
  /** `gone` for an issuer to which nothing can connect. */
  readonly act: Act | "gone";
  /** Whether requests do little but wait under it. */
  readonly waits?: true;
  /** The answers by the age of the keys that functions have. */
  readonly answers: Readonly<Partial<Record<KeyAge, Cells>>>;
}

/** How long after a failed fetch without any keys the issuer is not asked again. */
export const KEYLESS_MS = 5_000;

const answersOf = (outcomes: Readonly<Partial<Record<KeyAge, OutcomeName>>>): IssuerFault["answers"] =>
  Object.fromEntries(Object.entries(outcomes).map(([age, outcome]) => [age, whereTokens(outcome)]));
const unusable = answersOf({ none: "keyless", old: "keptKeys" });

export const issuerFaults: readonly IssuerFault[] = [
  {
    what: "refuses connections",
    act: "gone",
    answers: { ...unusable, fresh: everywhere("served") },
  },
  { what: "does not answer", act: acts.silent, waits: true, answers: unusable },
  {
    what: "answers half a second late",
    act: acts.slow(500),
    waits: true,
    answers: answersOf({ none: "served", old: "served" }),
  },
  { what: "answers with 500", act: acts.given(500, "{}"), answers: unusable },
  { what: "resets each connection in place of an answer", act: acts.resetBefore, answers: unusable },
  { what: "ends each connection in the middle of an answer", act: acts.cut, answers: unusable },
  { what: "falls silent in the middle of each answer", act: acts.stalled, waits: true, answers: unusable },
  { what: "answers with a web page", act: acts.webPage(200), answers: unusable },
  { what: "answers with half of a JSON text", act: acts.halved, answers: unusable },
  { what: "publishes no key", act: acts.given(200, '{"keys":[]}'), answers: unusable },
  { what: "answers without an end", act: acts.endless, answers: unusable },
];
