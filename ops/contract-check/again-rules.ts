import type { Clock } from "../../lib/clock.ts";
import { type RefusedProbe, strangersTo, unscopedTo } from "./bad-credentials.ts";
import { faultOf } from "./content-rules.ts";
import { NotObservable, type Observation, observe, type Rule, readCurrent, type Subject } from "./rule.ts";

/** Requests for the pass that are answered otherwise than a plain one, by any server. */
async function disturbancesOf(
  subject: Subject,
  versionHeader: string,
  clock: Clock,
): Promise<readonly RefusedProbe[]> {
  const { reference, noScopeToken } = subject.plan;
  const { tag } = await readCurrent(subject);
  const asking = (name: string, status: number, headers: Readonly<Record<string, string>>) => ({
    name,
    status,
    probe: { reference, headers },
  });
  return [
    asking("a request with the current tag", 304, { "If-None-Match": tag }),
    asking("one that takes gzip", 200, { "Accept-Encoding": "gzip" }),
    asking("one with another version", 400, { [versionHeader]: "2999-01-01" }),
    ...(await strangersTo(reference, subject, clock)),
    ...(noScopeToken === undefined ? [] : unscopedTo(reference, subject)),
  ];
}

/** What the plain request is answered with right after another one; undefined for the pass. */
async function faultAfter(
  subject: Subject,
  { name, status, probe }: RefusedProbe,
): Promise<Observation | undefined> {
  const { wallet, plan } = subject;
  const before = await observe(wallet, probe, status);
  const after = await observe(wallet, { reference: plan.reference }, 200);
  const fault = after.response && faultOf(after.response, subject);
  if (after.holds && fault === undefined) return undefined;
  const seen = `${after.seen} with ${fault ?? "a JSON object"} after ${name}`;
  return { holds: false, seen, shownBy: [...before.shownBy, ...after.shownBy] };
}

/** Whether an answer is to the request that it follows, and to no other that something in front remembers. */
export const againRules = (versionHeader: string, clock: Clock): readonly Rule[] => [
  {
    id: "200-again",
    rule: "The pass is answered as before, whatever was answered in between",
    expected: "200 with a JSON object",
    why: "Each request is understood by itself (RFC 9110 3.3): a 304, a coding or a refusal of somebody else's that a cache gives to the next caller leaves the wallet without the pass (RFC 9111 2, 3.5, 4.1).",
    run: async (subject) => {
      const first = await readCurrent(subject);
      if (faultOf(first, subject) !== undefined) throw new NotObservable("no JSON object in the 200");
      for (const disturbance of await disturbancesOf(subject, versionHeader, clock)) {
        const fault = await faultAfter(subject, disturbance);
        if (fault !== undefined) return fault;
      }
      return { holds: true, seen: "200 with a JSON object" };
    },
  },
];
