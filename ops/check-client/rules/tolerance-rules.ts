import type { Content } from "../scene.ts";
import { followerOf, type Visit } from "../visit.ts";
import {
  always,
  answeredWith,
  type ClientRule,
  contractOf,
  type Evidence,
  endOf,
  fail,
  isSettled,
  type Judgement,
  named,
  pass,
  unseen,
} from "./client-rule.ts";

/** Whether a client went on after an answer: it sent another request, or ended well. Undefined while nobody can tell. */
function wentOn(evidence: Evidence, visit: Visit): boolean | undefined {
  if (followerOf(evidence.visits, visit) !== undefined) return true;
  const code = endOf(evidence, visit)?.code;
  if (code === 0) return true;
  if (visit.step?.isLast === true && code === undefined) return undefined;
  return isSettled(evidence, visit) ? false : undefined;
}

function judgeTolerance(evidence: Evidence, answer: Content, what: string): Judgement {
  const visits = answeredWith(evidence, answer);
  if (visits.length === 0) return unseen(`no answer ${what} was met`);
  const stopped = visits.find((visit) => wentOn(evidence, visit) === false);
  if (stopped !== undefined) return fail(`nothing came after ${named(stopped)}, an answer ${what}`);
  const survived = visits.filter((visit) => wentOn(evidence, visit) === true);
  if (survived.length === 0) return unseen("the exit code of COMMAND would tell; give COMMAND");
  return pass(`the client went on after ${survived.map(named).join(", ")}`);
}

/** The rules about what may be added to an answer, or left out. */
export const toleranceRules: readonly ClientRule[] = [
  {
    id: "newer-members",
    levelOf: always("advice"),
    rule: "Members that the client does not know are ignored",
    expected: "the client goes on",
    why: "New members may be added to every answer at any time; that does not make a new version of the contract.",
    advice: "Read the members that you need, and do not refuse the others.",
    judge: (evidence) => judgeTolerance(evidence, "newer", "with an unknown member"),
  },
  {
    id: "deprecation",
    levelOf: always("RFC"),
    rule: "Deprecation and Sunset do not stop the client",
    expected: "the client goes on",
    why: "Deprecation (RFC 9745) and Sunset (RFC 8594) announce an end: until that day the answer is right.",
    advice: "Log the two headers, so that somebody looks, and use the answer.",
    judge: (evidence) => judgeTolerance(evidence, "deprecated", "with Deprecation and Sunset"),
  },
  {
    id: "absent-members",
    levelOf: contractOf(["exchange", "business", "ramp"], "advice"),
    rule: "Optional members may be absent",
    expected: "the client goes on",
    why: "Members that have nothing to say are absent, never null: a client that reads one without looking fails on some record.",
    advice: "Treat an absent member as unknown, never as zero.",
    judge: (evidence) => judgeTolerance(evidence, "bare", "without optional members"),
  },
];
