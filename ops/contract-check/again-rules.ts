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

/** A request for the pass that is answered otherwise than a plain one, by any server. */
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
    asking("one that takes gzip", 200, { "Accept-Encoding": "gzip" }),
    asking("one with another version", 400, { [versionHeader]: "2999-01-01" }),
    ...refused.map(({ probe, ...about }) => ({ ...about, probe: async () => probe })),
  ];
}

/**
 * What the plain request is answered with right after another one; undefined for the pass.
 *
 * @throws {NotObservable} when the other one is never answered with its status.
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

/** The first fault after any of them. @throws {NotObservable} when there is none, and one of them was not seen. */
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
      const disturbances = await disturbancesOf(subject, versionHeader, clock);
      const fault = await faultAfterAny(subject, disturbances);
      return fault ?? { holds: true, seen: "200 with a JSON object" };
    },
  },
];
