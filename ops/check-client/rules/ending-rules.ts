import type { Level } from "../../check-pass/verdict.ts";
import type { Ending } from "../scene.ts";
import type { Visit } from "../visit.ts";
import {
  always,
  type ClientRule,
  type Evidence,
  fail,
  type Judgement,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

/** Requests that met this ending, the first of each scene. */
function endingsOf({ visits }: Evidence, ending: Ending): Visit[] {
  const met = visits.filter(({ step }) => step?.answer === ending && step.trouble === undefined);
  return met.filter((visit, at) => met.findIndex(({ step }) => step?.act === visit.step?.act) === at);
}

/** A client may fetch a new token after a 401; a request with it is another one. */
const hasSameToken = (one: Visit, other: Visit): boolean =>
  one.headers.authorization === other.headers.authorization;

function judgeStop(evidence: Evidence, ending: Ending, status: number): Judgement {
  const met = endingsOf(evidence, ending);
  if (met.length === 0) return unseen(`no ${status} was met`);
  for (const visit of met) {
    const again = evidence.visits.find(
      (later) =>
        later.number > visit.number &&
        later.run === visit.run &&
        later.endpoint === visit.endpoint &&
        later.step?.act === visit.step?.act &&
        hasSameToken(later, visit),
    );
    if (again !== undefined)
      return fail(
        `${named(again)} repeated ${named(visit)} ${again.arrivedMs - visit.answeredMs} ms after its ${status}`,
      );
  }
  return pass(`no repetition of ${met.map(named).join(", ")}`);
}

interface Stop {
  readonly ending: Ending;
  readonly level: Level;
  readonly status: number;
  readonly why: string;
  readonly advice: string;
  readonly interfaces?: ClientRule["interfaces"];
}

/** The interfaces on which a refusal ends a question. A pass is polled further: its contract ends that at 404 and 410 only. */
const answeredForGood = ["exchange", "business", "ramp"] as const;
/** The ramp has no scopes. */
const scoped = ["exchange", "business"] as const;

const stops: readonly Stop[] = [
  {
    ending: "refused",
    level: "advice",
    status: 401,
    why: "The same credential is refused again, and repeated refusals look like an attack.",
    advice: "End with the message and the error_id, or fetch a new token once.",
    interfaces: answeredForGood,
  },
  {
    ending: "forbidden",
    level: "advice",
    status: 403,
    why: "Only the operator can grant the scope that the credential lacks.",
    advice: "End with the message and the error_id.",
    interfaces: scoped,
  },
  {
    ending: "missing",
    level: "contract",
    status: 404,
    why: "A pass that is answered with 404 does not exist: the contract says that the wallet then stops polling.",
    advice: "Stop polling this pass after a 404.",
    interfaces: ["passes"],
  },
  {
    ending: "gone",
    level: "contract",
    status: 410,
    why: "A pass that is answered with 410 is gone for good: the contract says that the wallet then stops polling.",
    advice: "Stop polling this pass after a 410.",
    interfaces: ["passes"],
  },
];

const stopRule = ({ ending, level, status, why, advice, interfaces }: Stop): ClientRule => ({
  id: `${status}-stops`,
  levelOf: always(level),
  rule: `A request is not repeated after a ${status}`,
  expected: "no further request",
  why,
  advice,
  ...(interfaces !== undefined && { interfaces }),
  judge: (evidence) => judgeStop(evidence, ending, status),
});

/** Whether the name of a header says that its value proves the caller. */
const isCredential = (name: string, prefix: string): boolean =>
  ["authorization", "x-api-key", "jws-signature"].includes(name) || name.startsWith(prefix.toLowerCase());

function judgeRedirect(evidence: Evidence): Judgement {
  const redirected = endingsOf(evidence, "redirected");
  if (redirected.length === 0) return unseen("no redirect was met");
  const targets = new Set(redirected.map(({ target }) => target));
  const followed = evidence.astray.filter(({ target }) => targets.has(target));
  const leaked = followed.flatMap(({ headers }) =>
    Object.keys(headers).filter((name) => isCredential(name, evidence.brand.headerPrefix)),
  );
  if (leaked.length > 0) return fail(`the other host got ${[...new Set(leaked)].join(", ")}`);
  return pass(followed.length > 0 ? "followed without credentials" : "not followed");
}

/** The rules about answers after which a request must not be sent again, or not to the named host. */
export const endingRules: readonly ClientRule[] = [
  ...stops.map(stopRule),
  {
    id: "redirect-without-credentials",
    levelOf: always("RFC"),
    rule: "Credentials are not sent to another host",
    expected: "no credential at the host that a redirect names",
    why: "A client must not hand its credentials on to another host (RFC 9110 15.4). The service never redirects: a redirect comes from something in between, and HTTP libraries send headers of their own names on to any host.",
    advice: 'Switch redirects off, as with redirect: "error" of fetch.',
    judge: judgeRedirect,
  },
];
