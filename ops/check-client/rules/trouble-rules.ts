import type { Observation } from "../../checks/rule.ts";
import type { Trouble } from "../scene.ts";
import { repetitionOf, type Visit } from "../visit.ts";
import {
  type ClientRule,
  contractOf,
  type Evidence,
  endOf,
  fail,
  isSettled,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

/** Timers fire a little early by the clock of another process. */
const TOLERANCE_MS = 20;
/** The second pause after a failure is longer than the first by this factor: jitter may shorten a doubled pause. */
const GROWTH = 1.25;
/** A client whose pauses are this many times what it was asked for need not slow down further. */
const SLOW = 4;

const met = ({ visits }: Evidence, kind: Trouble["kind"]): Visit[] =>
  visits.filter(({ step }) => step?.trouble?.kind === kind);

const askedMs = ({ step }: Visit): number =>
  step?.trouble !== undefined && "waitMs" in step.trouble ? step.trouble.waitMs : 0;

const gapMs = (earlier: Visit, later: Visit): number => later.arrivedMs - earlier.answeredMs;

/** The rule that nobody comes back before the time that the answer names. */
function judgeEarly(evidence: Evidence, kind: Trouble["kind"], status: string): Observation {
  const visits = met(evidence, kind);
  if (visits.length === 0) return unseen(`no ${status} was met`);
  const returns = visits.flatMap((visit) => {
    const later = repetitionOf(evidence.visits, visit);
    return later === undefined ? [] : [{ visit, later, waitedMs: gapMs(visit, later) }];
  });
  const early = returns.find(({ visit, waitedMs }) => waitedMs + TOLERANCE_MS < askedMs(visit));
  if (early !== undefined)
    return fail(
      `${named(early.later)} came ${early.waitedMs} ms after the ${status} of ${named(early.visit)}, which asked for ${askedMs(early.visit)} ms`,
    );
  if (returns.length === 0) return unseen(`the client did not come back after a ${status}`);
  return pass(returns.map(({ visit, waitedMs }) => `${waitedMs} of ${askedMs(visit)} ms`).join(", "));
}

/** The rule that the client comes back after a trouble, in reasonable time. Of limits, `judgeUnit` judges the time. */
function judgeRepeated(evidence: Evidence, kind: Trouble["kind"], trouble: string): Observation {
  const visits = met(evidence, kind).filter((visit) => kind !== "limited" || !isStuck(evidence, visit));
  if (visits.length === 0) return unseen(`no ${trouble} was met`);
  for (const visit of visits) {
    const later = repetitionOf(evidence.visits, visit);
    if (later !== undefined && gapMs(visit, later) <= evidence.patienceMs) continue;
    if (later !== undefined)
      return fail(
        `${named(later)} came only ${gapMs(visit, later)} ms after the ${trouble} of ${named(visit)}`,
      );
    return judgeAbsence(evidence, visit, trouble);
  }
  return pass(visits.map((visit) => `${named(visit)} was repeated`).join(", "));
}

function judgeAbsence(evidence: Evidence, visit: Visit, trouble: string): Observation {
  if (!isSettled(evidence, visit)) return unseen("the check ended before the client came back");
  const end = endOf(evidence, visit);
  // A client that polls passes may have had enough polls.
  if (visit.interfaceName === "passes" && end?.code === 0)
    return unseen(`the client ended after the ${trouble}`);
  const silentMs = (end?.endedMs ?? evidence.now) - visit.answeredMs;
  const asked = askedMs(visit) > 0 ? `, which asked for ${askedMs(visit)} ms` : "";
  const ending = end?.code === undefined ? "" : ` and the client ended with ${end.code}`;
  return fail(`nothing came in the ${silentMs} ms after the ${trouble} of ${named(visit)}${asked}${ending}`);
}

/** Whether a client waits for a wait that it has misread: it came far too late, or was waiting until the check ended it. */
function isStuck(evidence: Evidence, visit: Visit): boolean {
  const later = repetitionOf(evidence.visits, visit);
  if (later !== undefined) return gapMs(visit, later) > evidence.patienceMs;
  const end = endOf(evidence, visit);
  return end !== undefined && end.code === undefined;
}

/** The rule that a wait is read in its unit. */
function judgeUnit(evidence: Evidence): Observation {
  const visits = met(evidence, "limited");
  if (visits.length === 0) return unseen("no 429 was met");
  const stuck = visits.find((visit) => isStuck(evidence, visit));
  if (stuck !== undefined)
    return fail(
      `more than ${evidence.patienceMs} ms of silence after ${named(stuck)}, which asked for ${askedMs(stuck)} ms`,
    );
  if (!visits.some((visit) => repetitionOf(evidence.visits, visit) !== undefined))
    return unseen("the client did not come back after a 429");
  return pass("no wait was far too long");
}

/** The rule that pauses grow while the service fails. */
function judgeSlower(evidence: Evidence): Observation {
  const failures = met(evidence, "unavailable");
  for (const first of failures) {
    const second = repetitionOf(evidence.visits, first);
    const third = second === undefined ? undefined : repetitionOf(evidence.visits, second);
    if (second?.step?.trouble?.kind !== "unavailable" || third === undefined) continue;
    const [one, two] = [gapMs(first, second), gapMs(second, third)];
    if (one + TOLERANCE_MS < askedMs(first))
      return unseen("the first pause was shorter than what was asked for");
    const seen = `pauses of ${one} and ${two} ms after ${named(first)} and ${named(second)}`;
    return two >= one * GROWTH || one >= askedMs(first) * SLOW ? pass(seen) : fail(seen);
  }
  return unseen("no two 503s in a row were repeated");
}

const WAIT_ADVICE =
  "Read retry_after_ms of the body, which is always milliseconds. Switch off the retries of the HTTP library, which take Retry-After for seconds.";

/** The rules about limits, failures and lost connections. */
export const troubleRules: readonly ClientRule[] = [
  {
    id: "429-not-early",
    level: contractOf(["exchange", "passes"], "RFC"),
    rule: "A 429 is waited out",
    expected: "the wait that was asked for",
    why: "A 429 names the wait after which the same request succeeds; a request before it is refused again.",
    advice: WAIT_ADVICE,
    run: (evidence) => judgeEarly(evidence, "limited", "429"),
  },
  {
    id: "429-unit",
    level: contractOf(["exchange"], "RFC"),
    rule: "The wait of a 429 is read in its unit",
    expected: "no wait that is a thousand times too long",
    why: "Retry-After counts milliseconds on the exchange (contract, Limits) and seconds elsewhere (RFC 9110 10.2.3): a client that takes 1500 ms for seconds stands still for 25 minutes.",
    advice: WAIT_ADVICE,
    run: judgeUnit,
  },
  {
    id: "429-repeated",
    level: contractOf(["passes"], "advice"),
    rule: "A request is repeated after a 429",
    expected: "a repetition after the wait",
    why: "A limit passes: the same request succeeds after the wait that the 429 names, and every endpoint is a read, which is safe to repeat.",
    advice: WAIT_ADVICE,
    run: (evidence) => judgeRepeated(evidence, "limited", "429"),
  },
  {
    id: "503-not-early",
    level: contractOf(["passes"], "RFC"),
    rule: "A 503 is waited out",
    expected: "the wait that was asked for",
    why: "A service that fails recovers later while clients repeat their requests at once.",
    advice: WAIT_ADVICE,
    run: (evidence) => judgeEarly(evidence, "unavailable", "503"),
  },
  {
    id: "503-repeated",
    level: contractOf(["passes"], "advice"),
    rule: "A request is repeated after a 503",
    expected: "a repetition after the wait",
    why: "A 503 does not say whether the record exists, and every endpoint is a read, which is safe to repeat.",
    advice: "Repeat the request some times before you give up: here two failures come in a row.",
    run: (evidence) => judgeRepeated(evidence, "unavailable", "503"),
  },
  {
    id: "503-slower",
    level: "advice",
    rule: "Pauses grow while the service fails",
    expected: `a second pause of ${GROWTH} times the first`,
    why: "The wait of a 503 is a guess. Clients that all return at the same pace keep a failing service down.",
    advice: "Double the pause after each failure, and never wait less than retry_after_ms.",
    run: judgeSlower,
  },
  {
    id: "off-not-early",
    level: contractOf(["passes"], "RFC"),
    rule: "An endpoint that is switched off is left alone as long as it asks",
    expected: "the wait that was asked for",
    why: "An operator switches an endpoint off to relieve it; its 503 has the code service_disabled.",
    advice: "Treat service_disabled as any 503: wait for retry_after_ms, and then more slowly each time.",
    run: (evidence) => judgeEarly(evidence, "disabled", "503 service_disabled"),
  },
  {
    id: "cut-repeated",
    level: "advice",
    rule: "A request is repeated after a cut connection",
    expected: "a repetition",
    why: "Connections break; every endpoint is a read, which is safe to repeat.",
    advice: "Treat a connection that ends without an answer as a 503 that names no wait.",
    run: (evidence) => judgeRepeated(evidence, "cut", "cut"),
  },
  {
    id: "cut-body-repeated",
    level: "advice",
    rule: "A request is repeated after a body that is cut off",
    expected: "a repetition",
    why: "A connection may break in the middle of a body, after the status 200; half a page must not count as a page.",
    advice: "Read the whole body within the same try as the request, and repeat the request if that fails.",
    run: (evidence) => judgeRepeated(evidence, "cut-body", "cut body"),
  },
];
