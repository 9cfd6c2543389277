import type { Clock } from "../../lib/clock.ts";
import type { JwsSigningKey } from "../wallet/jws-signer.ts";
import type { Probe } from "../wallet/wallet.ts";
import {
  lacksWeakToken,
  type RefusedProbe,
  strangersTo,
  unscopedTo,
  withoutCredentials,
  withSpoiledJws,
  withSpoiledToken,
  withStrangeCertificates,
  withStrangeJws,
  withToken,
  withUnsignedToken,
} from "./bad-credentials.ts";
import { hasMembers, hasPass } from "./content-rules.ts";
import { broughtForgeries, confusedForgeries, type Forgery, unsignedForgeries } from "./forged-signatures.ts";
import {
  type Answered,
  NotObservable,
  observe,
  opaque,
  type Rule,
  readCurrent,
  type Subject,
} from "./rule.ts";

const lacksToken = ({ wallet }: Subject) =>
  wallet.credentials.token === undefined ? "--token-file" : undefined;
const lacksKey = ({ wallet }: Subject) =>
  wallet.credentials.signingKey === undefined ? "--jws-key" : undefined;
const lacksCertificate = ({ wallet }: Subject) =>
  wallet.credentials.tls.cert === undefined ? "--cert and --key" : undefined;

const INVALID_WHY = "An invalid credential is rejected with 401 (contract, Authentication 1)";

/** The rule that one request for the pass is refused. */
const refusing = (
  about: Pick<Rule, "id" | "rule" | "why" | "lacks"> & Partial<Pick<Rule, "expected">>,
  probeOf: (subject: Subject, reference: string) => Probe | Promise<Probe>,
): Rule => ({
  level: "contract",
  expected: "401",
  ...about,
  run: async (subject) => observe(subject.wallet, await probeOf(subject, subject.plan.reference), 401),
});

const tokenOf = ({ wallet }: Subject): string => wallet.credentials.token ?? "";
const keyOf = ({ wallet }: Subject): JwsSigningKey => wallet.credentials.signingKey as JwsSigningKey;

const tokenRules: readonly Rule[] = [
  refusing(
    {
      id: "401-no-token",
      rule: "A text that is not a token is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}.`,
    },
    (subject, reference) => withToken(subject, reference, "not-a-token"),
  ),
  refusing(
    {
      id: "401-bad-token",
      rule: "A token whose signature was changed is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}: a server that looks at the claims alone accepts tokens that anyone can write.`,
    },
    (subject, reference) => withSpoiledToken(subject, reference, tokenOf(subject)),
  ),
  refusing(
    {
      id: "401-unsigned-token",
      rule: "A token without a signature is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}, and anyone can write a token that asks for no signature (RFC 8725 3.1, 3.2).`,
    },
    (subject, reference) => withUnsignedToken(subject, reference, tokenOf(subject)),
  ),
];

/** The rule that each of several requests for the pass is refused; the first that is not is the breach. */
const refusingEach = (
  about: Pick<Rule, "id" | "rule" | "why" | "lacks" | "expected">,
  probesOf: (subject: Subject) => Promise<readonly RefusedProbe[]>,
): Rule => ({
  level: "contract",
  ...about,
  run: async (subject) => {
    const seen = new Set<string>();
    for (const { name, status, probe } of await probesOf(subject)) {
      const answer = await observe(subject.wallet, probe, status);
      if (!answer.holds) return { ...answer, seen: `${answer.seen} to ${name}` };
      seen.add(answer.seen);
    }
    return { holds: true, seen: [...seen].join(", ") };
  },
});

/** The rule that signatures which anyone can write are refused. */
const forging = (about: Pick<Rule, "id" | "rule" | "why">, forgery: Forgery, clock: Clock): Rule =>
  refusingEach({ ...about, expected: "401", lacks: lacksKey }, (subject) =>
    forgery(subject, subject.plan.reference, keyOf(subject), clock),
  );

const forgeryRules = (clock: Clock): readonly Rule[] => [
  forging(
    {
      id: "401-unsigned-jws",
      rule: "A JWS without a signature is refused",
      why: `${INVALID_WHY}, and anyone can write a JWS that asks for no signature or has none (RFC 7515 10.7, RFC 8725 3.2).`,
    },
    unsignedForgeries,
    clock,
  ),
  forging(
    {
      id: "401-brought-jws",
      rule: "A JWS by a key that stands in its own header is refused",
      why: `${INVALID_WHY}: the writer of a header chooses the jwk in it, which is not a registered key (RFC 7515 4.1.3, RFC 8725 3.10).`,
    },
    broughtForgeries,
    clock,
  ),
  forging(
    {
      id: "401-confused-jws",
      rule: "An HS256 JWS with the public key as its secret is refused",
      why: `${INVALID_WHY}: a server that trusts the alg of the header uses the public key as a secret, which it is not (RFC 8725 2.1, 3.1).`,
    },
    confusedForgeries,
    clock,
  ),
];

const signatureRules = (clock: Clock): readonly Rule[] => [
  refusing(
    {
      id: "401-bad-jws",
      rule: "A JWS whose signature was changed is refused",
      lacks: lacksKey,
      why: `${INVALID_WHY}, such as a JWS with a signature that its key does not verify.`,
    },
    (subject, reference) => withSpoiledJws(subject, reference, keyOf(subject), clock),
  ),
  refusing(
    {
      id: "401-strange-jws",
      rule: "A JWS by a key that is not registered is refused",
      lacks: lacksKey,
      why: `${INVALID_WHY}: a kid only names a key and proves nothing (strange.jwk.json below is another key with that kid).`,
    },
    (subject, reference) => withStrangeJws(subject, reference, keyOf(subject)),
  ),
  ...forgeryRules(clock),
];

const strangeCertificate = refusingEach(
  {
    id: "401-strange-certificate",
    rule: "A certificate from an unknown authority is refused, whatever names it has",
    expected: "401, or no connection",
    why: `${INVALID_WHY}, such as a certificate without a trusted issuer: anyone can make one with the wallet's names (strange.pem below has its subject and alternative names, and the issuer that "seen" names).`,
    lacks: lacksCertificate,
  },
  (subject) =>
    withStrangeCertificates(subject, subject.plan.reference, subject.wallet.credentials.tls.cert ?? ""),
);

const noScope: Rule = {
  id: "403-no-scope",
  level: "contract",
  rule: "A valid token without the scope is refused",
  expected: "403",
  why: "A valid credential that lacks the scope is rejected with 403 (contract, Authentication 2).",
  lacks: lacksWeakToken,
  run: (subject) =>
    observe(subject.wallet, withToken(subject, subject.plan.reference, subject.plan.noScopeToken ?? ""), 403),
};

/** The part of the pass that a refusal shows; undefined when it shows nothing, or when the answer is not a refusal. */
function shownIn({ response }: Answered, body: string, tag: string): string | undefined {
  if (response === undefined || ![401, 403].includes(response.status)) return undefined;
  if (hasPass(response.body, body)) return "the pass";
  return opaque(response.headers.etag ?? "") === opaque(tag) ? "its ETag" : undefined;
}

/** For handlers that run on after the refusal, and so send the pass along with the status. */
const withoutPass = (clock: Clock): Rule => ({
  id: "refusal-without-pass",
  level: "contract",
  rule: "A refusal shows nothing of the pass",
  expected: "neither the pass nor its ETag",
  why: "A caller that is rejected with 401 or 403 may not read the pass (contract, Authentication), and the ETag tells when the pass changes (contract, Entity tag): the right status alone hides neither.",
  run: async (subject) => {
    const { body, tag } = await readCurrent(subject);
    if (!hasMembers(body)) throw new NotObservable("no JSON object with members in the 200");
    const { reference, noScopeToken } = subject.plan;
    const weak = noScopeToken === undefined ? [] : unscopedTo(reference, subject);
    for (const { name, status, probe } of [...(await strangersTo(reference, subject, clock)), ...weak]) {
      const answer = await observe(subject.wallet, probe, status);
      const shown = shownIn(answer, body, tag);
      if (shown !== undefined)
        return { ...answer, holds: false, seen: `${answer.seen} with ${shown}, to ${name}` };
    }
    return { holds: true, seen: "neither" };
  },
});

/** The rules about credentials. The clock dates the credentials that are made for them. */
export const credentialRules = (clock: Clock): readonly Rule[] => [
  refusing(
    {
      id: "401-no-credentials",
      rule: "A request without credentials is refused",
      why: "A missing credential is rejected with 401 (contract, Authentication 1).",
    },
    withoutCredentials,
  ),
  ...tokenRules,
  ...signatureRules(clock),
  strangeCertificate,
  noScope,
  withoutPass(clock),
];
