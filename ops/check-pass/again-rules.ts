import type { Clock } from "../../lib/clock.ts";
import type { Probe } from "../wallet/wallet.ts";
import { strangersTo, unscopedTo } from "./bad-credentials.ts";
import { faultOf } from "./content-rules.ts";
import {
  lookAgain,
  NotObservable,
  type Observation,
  observe,
  type Rule,
  readCurrent,
  type Subject,
} from "./rule.ts";

/** A request for the pass that every server answers differently from a plain request. */
interface Disturbance {
  readonly name: string;
  readonly status: number;
  readonly probe: () => Promise<Probe>;
}

async function disturbancesOf(
  subject: Subject,
  versionHeader: string,
  clock: Clock,
): Promise<readonly Disturbance[]> {
  const { reference, noScopeToken } = subject.plan;
  const asking = (name: string, status: number, headers: Readonly<Record<string, string>>) => ({
    name,
    status,
    probe: async () => ({ reference, headers }),
  });
  const refused = [
    ...(await strangersTo(reference, subject, clock)),
    ...(noScopeToken === undefined ? [] : unscopedTo(reference, subject)),
  ];
  return [
    {
      name: "a request with the current tag",
      status: 304,
      probe: async () => ({ reference, headers: { "If-None-Match": (await readCurrent(subject)).tag } }),
    },
    asking("a request that accepts gzip", 200, { "Accept-Encoding": "gzip" }),
    asking("a request with another version", 400, { [versionHeader]: "2999-01-01" }),
    ...refused.map(({ probe, ...about }) => ({ ...about, probe: async () => probe })),
  ];
}

/**
 * The wrong answer to a plain request right after a disturbance; undefined when the answer is the pass.
 *
 * @throws {NotObservable} when the disturbance is never answered with its status.
 */
async function faultAfter(
  subject: Subject,
  { name, status, probe }: Disturbance,
): Promise<Observation | undefined> {
  const { wallet, plan } = subject;
  const { fault } = await lookAgain(async () => {
    const before = await observe(wallet, await probe(), status);
    const after = await observe(wallet, { reference: plan.reference }, 200);
    const flaw = after.response && faultOf(after.response, subject);
    if (after.holds && flaw === undefined) return before.holds ? { fault: undefined } : undefined;
    const seen = `${after.seen} with ${flaw ?? "a JSON object"} after ${name}`;
    return { fault: { holds: false, seen, shownBy: [...before.shownBy, ...after.shownBy] } };
  }, `no ${status} to ${name}`);
  return fault;
}

/** The first fault after a disturbance. @throws {NotObservable} when there is none, but one disturbance failed. */
async function faultAfterAny(
  subject: Subject,
  disturbances: readonly Disturbance[],
): Promise<Observation | undefined> {
  let unseen: NotObservable | undefined;
  for (const disturbance of disturbances)
    try {
      const fault = await faultAfter(subject, disturbance);
      if (fault !== undefined) return fault;
    } catch (error) {
      if (!(error instanceof NotObservable)) throw error;
      unseen ??= error;
    }
  if (unseen !== undefined) throw unseen;
  return undefined;
}

/** The rules about caches: an answer belongs to its own request, and not to an earlier one that a cache remembers. */
export const againRules = (versionHeader: string, clock: Clock): readonly Rule[] => [
  {
    id: "200-again",
    level: "contract",
    rule: "The pass is answered as before, whatever other requests came in between",
    expected: "200 with a JSON object",
    why: "Each request is understood by itself (RFC 9110 3.3): if a cache gives one caller's 304, coding or refusal to the next, the wallet does not get the pass (RFC 9111 2, 3.5, 4.1).",
    run: async (subject) => {
      const first = await readCurrent(subject);
      if (faultOf(first, subject) !== undefined) throw new NotObservable("no JSON object in the 200");
      const disturbances = await disturbancesOf(subject, versionHeader, clock);
      const fault = await faultAfterAny(subject, disturbances);
      return fault ?? { holds: true, seen: "200 with a JSON object" };
    },
  },
];
