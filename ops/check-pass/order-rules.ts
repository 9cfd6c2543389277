import { NotObservable } from "../checks/rule.ts";
import { type RefusedProbe, strangersTo, unscopedTo, withSpoiledToken } from "./bad-credentials.ts";
import { goneReference, inVersion, refusedVersions, unknownReference } from "./status-rules.ts";
import { type Answered, observe, type PassRule, readCurrent, type Seen, type Subject } from "./subject.ts";

/** The requests for a reference that are refused for one reason, with one status. */
type Refusals = (
  reference: string,
  subject: Subject,
) => readonly RefusedProbe[] | Promise<readonly RefusedProbe[]>;

interface About extends Pick<PassRule, "id" | "rule" | "why" | "needs"> {
  readonly status: number;
  readonly refusals: Refusals;
}

/**
 * Judges refusals one after the other, and returns the first that the rule does not hold for. `judge` gives undefined
 * for a request that is not refused in the plain case either, because another rule judges that.
 */
export async function judgeEach(
  refusals: readonly RefusedProbe[],
  judge: (refusal: RefusedProbe) => Promise<Seen | undefined>,
): Promise<Seen> {
  const seen = new Set<string>();
  for (const refusal of refusals) {
    const observation = await judge(refusal);
    if (observation?.holds === false) return observation;
    if (observation !== undefined) seen.add(observation.seen);
  }
  if (seen.size === 0) throw new NotObservable(`no ${refusals[0]?.status} in the plain case either`);
  return { holds: true, seen: [...seen].join(", ") };
}

/** Repeats a refused request with tags: the current one, `*`, and the one that the refusal itself carries. */
async function sendTags(
  subject: Subject,
  tag: string,
  { name, status, probe }: RefusedProbe,
): Promise<Seen | undefined> {
  const send = (value: string): Promise<Answered> =>
    observe(subject, { ...probe, headers: { ...probe.headers, "If-None-Match": value } }, status);
  const first = await send(tag);
  const ownTag = first.response?.headers.etag;
  const others = ["*", ...(first.holds && ownTag !== undefined && ownTag !== tag ? [ownTag] : [])];
  let answer = first;
  for (const value of others) if (answer.holds) answer = await send(value);
  if (answer.holds) return answer;
  const plain = await observe(subject, probe, status);
  return plain.holds ? { ...answer, seen: `${answer.seen} to ${name}` } : undefined;
}

/** The rule that a condition does not change a refusal. */
const beforeTag = ({ status, refusals: refusalsOf, ...about }: About): PassRule => ({
  ...about,
  expected: String(status),
  needsPass: true,
  run: async (subject) => {
    const { tag } = await readCurrent(subject);
    const refusals = await refusalsOf(subject.plan.reference, subject);
    return judgeEach(refusals, (refusal) => sendTags(subject, tag, refusal));
  },
});

/** The rule that a refused caller gets the same refusal for a pass that does not exist. */
const alike = ({
  status,
  absent,
  refusals: refusalsOf,
  ...about
}: About & { readonly absent: (subject: Subject) => string }): PassRule => ({
  ...about,
  expected: String(status),
  run: async (subject) => {
    const reference = absent(subject);
    // A cache in front of the endpoint may keep this answer, and give it to the next caller.
    const own = await observe(subject, { reference }, 404);
    const toThePass = await refusalsOf(subject.plan.reference, subject);
    return judgeEach(await refusalsOf(reference, subject), async (refusal) => {
      const answer = await observe(subject, refusal.probe, status);
      if (answer.holds) return answer;
      const same = toThePass.find(({ name }) => name === refusal.name);
      const known = same && (await observe(subject, same.probe, status));
      const shownBy = [...own.shownBy, ...answer.shownBy];
      return known?.holds ? { holds: false, seen: `${answer.seen} to ${refusal.name}`, shownBy } : undefined;
    });
  },
});

const UNCONDITIONAL = "A condition counts only where the answer without it would be a 200 (RFC 9110 13.2.1)";
const REJECTED = "A missing or invalid credential is rejected with 401 (contract, Authentication 1)";
const UNSCOPED = "A valid credential that lacks the scope is rejected with 403 (contract, Authentication 2)";
const TELLING = "another answer tells which passes exist or existed";
const STALE = "A 304 says that the pass is as it was when its tag was issued";

/** The scope of a token counts only if the token is valid. */
const validBeforeScope: PassRule = {
  id: "401-before-scope",
  rule: "A token without the scope and with a changed signature is refused as invalid",
  expected: "401",
  why: `${REJECTED}; a 403 says that the credential is valid, so the server used its claims before it verified the signature.`,
  needs: ["--no-scope-token-file"],
  run: async (subject) => {
    const { wallet, plan } = subject;
    const answerTo = (token: string | undefined): Promise<Answered> =>
      observe(subject, withSpoiledToken(subject, plan.reference, token), 401);
    const answer = await answerTo(plan.noScopeToken);
    const { token } = wallet.credentials;
    if (answer.holds || token === undefined) return answer;
    if (!(await answerTo(token)).holds) throw new NotObservable("no 401 in the plain case either");
    return answer;
  },
};

const otherVersions: Refusals = (reference, subject) =>
  refusedVersions.map(({ versionOf }) => {
    const version = versionOf(subject.wallet.options.version);
    const name = version === undefined ? "no version" : `the version ${version}`;
    return { name, status: 400, probe: inVersion(subject, reference, version) };
  });

const requestFor =
  (status: number, referenceOf: (subject: Subject) => string): Refusals =>
  (_, subject) => [{ name: "a request for that pass", status, probe: { reference: referenceOf(subject) } }];

/**
 * The rules about the order of a server's checks, as far as the contract or HTTP fixes it: the credential, its scope,
 * only then the pass, and the tag last. When a server checks the version and its limit is left to the server.
 */
export const orderRules: readonly PassRule[] = [
  beforeTag({
    id: "401-before-tag",
    rule: "A caller without a valid credential is refused whatever tag is sent",
    why: `${REJECTED}, and a 304 tells such callers that they know the current tag. ${UNCONDITIONAL}.`,
    status: 401,
    refusals: strangersTo,
  }),
  alike({
    id: "401-unknown-alike",
    rule: "A caller without a valid credential is refused alike for a pass that does not exist",
    why: `${REJECTED}: ${TELLING}.`,
    status: 401,
    absent: unknownReference,
    refusals: strangersTo,
  }),
  alike({
    id: "401-gone-alike",
    rule: "A caller without a valid credential is refused alike for a pass that is gone",
    why: `${REJECTED}: ${TELLING}.`,
    needs: ["--gone-reference"],
    status: 401,
    absent: goneReference,
    refusals: strangersTo,
  }),
  validBeforeScope,
  beforeTag({
    id: "403-before-tag",
    rule: "A token without the scope is refused whatever tag is sent",
    why: `${UNSCOPED}. ${UNCONDITIONAL}.`,
    needs: ["--no-scope-token-file"],
    status: 403,
    refusals: unscopedTo,
  }),
  alike({
    id: "403-unknown-alike",
    rule: "A token without the scope is refused alike for a pass that does not exist",
    why: `${UNSCOPED}: ${TELLING}.`,
    needs: ["--no-scope-token-file"],
    status: 403,
    absent: unknownReference,
    refusals: unscopedTo,
  }),
  alike({
    id: "403-gone-alike",
    rule: "A token without the scope is refused alike for a pass that is gone",
    why: `${UNSCOPED}: ${TELLING}.`,
    needs: ["--no-scope-token-file", "--gone-reference"],
    status: 403,
    absent: goneReference,
    refusals: unscopedTo,
  }),
  beforeTag({
    id: "400-before-tag",
    rule: "A version that is not implemented is refused whatever tag is sent",
    why: `A version that the partner does not implement is answered with 400 (contract, Rules 4). ${UNCONDITIONAL}.`,
    status: 400,
    refusals: otherVersions,
  }),
  beforeTag({
    id: "404-before-tag",
    rule: "A pass that does not exist is answered with 404 whatever tag is sent",
    why: `${STALE}, and a 404 ends the polling (contract, Retrieve a pass). ${UNCONDITIONAL}.`,
    status: 404,
    refusals: requestFor(404, unknownReference),
  }),
  beforeTag({
    id: "410-before-tag",
    rule: "A pass that is gone is answered with 410 whatever tag is sent",
    why: `${STALE}, and a 410 ends the polling (contract, Retrieve a pass). ${UNCONDITIONAL}.`,
    needs: ["--gone-reference"],
    status: 410,
    refusals: requestFor(410, goneReference),
  }),
];
