import type { Clock } from "../../lib/clock.ts";
import { goneReference, lacksGone, unknownReference } from "./absence-rules.ts";
import {
  lacksWeakToken,
  type RefusedProbe,
  strangersTo,
  unscopedTo,
  withSpoiledToken,
} from "./bad-credentials.ts";
import {
  type Answered,
  NotObservable,
  type Observation,
  observe,
  onceAnswered,
  type Rule,
  readCurrent,
  type Subject,
} from "./rule.ts";
import { refusedVersions } from "./version-rules.ts";

/** The requests for a reference that are refused for one reason, with one status. */
type Refusals = (
  reference: string,
  subject: Subject,
) => readonly RefusedProbe[] | Promise<readonly RefusedProbe[]>;

type About = Pick<Rule, "id" | "rule" | "why" | "lacks"> & { readonly status: number };

/**
 * Judges refusals one after the other, and returns the first that the rule does not hold for. `judge` gives undefined
 * for a request that is not refused in the plain case either, because another rule judges that.
 */
async function judgeEach(
  status: number,
  refusals: readonly RefusedProbe[],
  judge: (refusal: RefusedProbe) => Promise<Observation | undefined>,
): Promise<Observation> {
  const seen = new Set<string>();
  for (const refusal of refusals) {
    const observation = await judge(refusal);
    if (observation?.holds === false) return observation;
    if (observation !== undefined) seen.add(observation.seen);
  }
  if (seen.size === 0) throw new NotObservable(`no ${status} in the plain case either`);
  return { holds: true, seen: [...seen].join(", ") };
}

/** Repeats a refused request with tags: the current one, `*`, and the one that the refusal itself carries. */
async function sendTags(
  subject: Subject,
  tag: string,
  refusal: RefusedProbe,
): Promise<Observation | undefined> {
  const { wallet } = subject;
  const send = (value: string): Promise<Answered> => {
    const headers = { ...refusal.probe.headers, "If-None-Match": value };
    return observe(wallet, { ...refusal.probe, headers }, refusal.status);
  };
  const first = await send(tag);
  const ownTag = first.response?.headers.etag;
  const others = ["*", ...(first.holds && ownTag !== undefined && ownTag !== tag ? [ownTag] : [])];
  let answer = first;
  for (const value of others) if (answer.holds) answer = await send(value);
  if (answer.holds) return answer;
  const plain = await observe(wallet, refusal.probe, refusal.status);
  return plain.holds ? { ...answer, seen: `${answer.seen} to ${refusal.name}` } : undefined;
}

/** The rule that a condition does not change a refusal. */
const beforeTag = ({ status, ...about }: About, refusalsOf: Refusals): Rule =>
  onceAnswered({
    level: "contract",
    ...about,
    expected: String(status),
    run: async (subject) => {
      const { tag } = await readCurrent(subject);
      const refusals = await refusalsOf(subject.plan.reference, subject);
      return judgeEach(status, refusals, (refusal) => sendTags(subject, tag, refusal));
    },
  });

/** The rule that a refused caller gets the same refusal for a pass that does not exist. */
const alike = (
  { status, ...about }: About,
  referenceOf: (subject: Subject) => string,
  refusalsOf: Refusals,
): Rule => ({
  level: "contract",
  ...about,
  expected: String(status),
  run: async (subject) => {
    const { wallet, plan } = subject;
    const reference = referenceOf(subject);
    // A cache in front of the endpoint may keep this answer, and give it to the next caller.
    const own = await observe(wallet, { reference }, 404);
    const toThePass = await refusalsOf(plan.reference, subject);
    return judgeEach(status, await refusalsOf(reference, subject), async (refusal) => {
      const answer = await observe(wallet, refusal.probe, status);
      if (answer.holds) return answer;
      const same = toThePass.find(({ name }) => name === refusal.name);
      const known = same && (await observe(wallet, same.probe, status));
      const shownBy = [...own.shownBy, ...answer.shownBy];
      return known?.holds ? { holds: false, seen: `${answer.seen} to ${refusal.name}`, shownBy } : undefined;
    });
  },
});

const UNCONDITIONAL = "A condition counts only where the answer without it would be a 200 (RFC 9110 13.2.1)";
const REJECTED = "A missing or invalid credential is rejected with 401 (contract, Authentication 1)";
const UNSCOPED = "A valid credential that lacks the scope is rejected with 403 (contract, Authentication 2)";
const TELLING = "another answer tells which passes exist or existed";

/** The rules that a caller without a valid credential is refused before anything else is looked at. */
const strangerRules = (clock: Clock): readonly Rule[] => {
  const strangers: Refusals = (reference, subject) => strangersTo(reference, subject, clock);
  return [
    beforeTag(
      {
        id: "401-before-tag",
        rule: "A caller without a valid credential is refused whatever tag is sent",
        status: 401,
        why: `${REJECTED}, and a 304 tells such callers that they know the current tag. ${UNCONDITIONAL}.`,
      },
      strangers,
    ),
    alike(
      {
        id: "401-unknown-alike",
        rule: "A caller without a valid credential is refused alike for a pass that does not exist",
        status: 401,
        why: `${REJECTED}: ${TELLING}.`,
      },
      unknownReference,
      strangers,
    ),
    alike(
      {
        id: "401-gone-alike",
        rule: "A caller without a valid credential is refused alike for a pass that is gone",
        status: 401,
        why: `${REJECTED}: ${TELLING}.`,
        lacks: lacksGone,
      },
      goneReference,
      strangers,
    ),
  ];
};

/** The scope of a token counts only if the token is valid. */
const validBeforeScope: Rule = {
  id: "401-before-scope",
  level: "contract",
  rule: "A token without the scope and with a changed signature is refused as invalid",
  expected: "401",
  why: `${REJECTED}; a 403 says that the credential is valid, so the server used its claims before it verified the signature.`,
  lacks: lacksWeakToken,
  run: async (subject) => {
    const { wallet, plan } = subject;
    const answer = await observe(
      wallet,
      withSpoiledToken(subject, plan.reference, plan.noScopeToken ?? ""),
      401,
    );
    const { token } = wallet.credentials;
    if (answer.holds || token === undefined) return answer;
    const own = await observe(wallet, withSpoiledToken(subject, plan.reference, token), 401);
    if (!own.holds) throw new NotObservable("no 401 in the plain case either");
    return answer;
  },
};

const scopeRules: readonly Rule[] = [
  validBeforeScope,
  beforeTag(
    {
      id: "403-before-tag",
      rule: "A token without the scope is refused whatever tag is sent",
      status: 403,
      why: `${UNSCOPED}. ${UNCONDITIONAL}.`,
      lacks: lacksWeakToken,
    },
    unscopedTo,
  ),
  alike(
    {
      id: "403-unknown-alike",
      rule: "A token without the scope is refused alike for a pass that does not exist",
      status: 403,
      why: `${UNSCOPED}: ${TELLING}.`,
      lacks: lacksWeakToken,
    },
    unknownReference,
    unscopedTo,
  ),
  alike(
    {
      id: "403-gone-alike",
      rule: "A token without the scope is refused alike for a pass that is gone",
      status: 403,
      why: `${UNSCOPED}: ${TELLING}.`,
      lacks: (subject) => lacksWeakToken(subject) ?? lacksGone(subject),
    },
    goneReference,
    unscopedTo,
  ),
];

const versionBeforeTag = (versionHeader: string): Rule =>
  beforeTag(
    {
      id: "400-before-tag",
      rule: "A version that is not implemented is refused whatever tag is sent",
      status: 400,
      why: `A version that the partner does not implement is answered with 400 (contract, Rules 4). ${UNCONDITIONAL}.`,
    },
    (reference, { wallet }) =>
      refusedVersions.map(({ versionOf }) => {
        const value = versionOf(wallet.version);
        const name = value === undefined ? "no version" : `the version ${value}`;
        return { name, status: 400, probe: { reference, headers: { [versionHeader]: value } } };
      }),
  );

const absentBeforeTag = (
  status: 404 | 410,
  about: Omit<About, "status">,
  referenceOf: (subject: Subject) => string,
) =>
  beforeTag({ ...about, status }, (_, subject) => [
    { name: "a request for that pass", status, probe: { reference: referenceOf(subject) } },
  ]);

/**
 * The rules about the order of a server's checks, as far as the contract or HTTP fixes it: the credential, its scope,
 * only then the pass, and the tag last. When a server checks the version and its limit is left to the server.
 */
export const orderRules = (versionHeader: string, clock: Clock): readonly Rule[] => [
  ...strangerRules(clock),
  ...scopeRules,
  versionBeforeTag(versionHeader),
  absentBeforeTag(
    404,
    {
      id: "404-before-tag",
      rule: "A pass that does not exist is answered with 404 whatever tag is sent",
      why: `A 304 says that the pass is as it was when its tag was issued, and a 404 ends the polling (contract, Retrieve a pass). ${UNCONDITIONAL}.`,
    },
    unknownReference,
  ),
  absentBeforeTag(
    410,
    {
      id: "410-before-tag",
      rule: "A pass that is gone is answered with 410 whatever tag is sent",
      why: `A 304 says that the pass is as it was when its tag was issued, and a 410 ends the polling (contract, Retrieve a pass). ${UNCONDITIONAL}.`,
      lacks: lacksGone,
    },
    goneReference,
  ),
];
