import { NotObservable } from "../checks/rule.ts";
import {
  broughtForgeries,
  confusedForgeries,
  type RefusedProbe,
  refusedCallers,
  unsignedForgeries,
  withoutCredentials,
  withSpoiledJws,
  withSpoiledToken,
  withStrangeCertificates,
  withStrangeJws,
  withToken,
  withUnsignedToken,
  withWeakToken,
} from "./bad-credentials.ts";
import { judgeEach } from "./order-rules.ts";
import { hasMembers, hasPass } from "./pass-content.ts";
import {
  type Answered,
  answering,
  observe,
  opaque,
  type PassRule,
  readCurrent,
  type Subject,
} from "./subject.ts";

const INVALID = "An invalid credential is rejected with 401 (contract, Authentication 1)";

/** The rule that each of several requests for the pass is refused; the first that is not is the breach. */
const refusingEach = ({
  probes,
  ...about
}: Omit<PassRule, "expected" | "run"> & {
  readonly expected?: string;
  readonly probes: (subject: Subject) => readonly RefusedProbe[] | Promise<readonly RefusedProbe[]>;
}): PassRule => ({
  expected: "401",
  ...about,
  run: async (subject) =>
    judgeEach(await probes(subject), async ({ name, status, probe }) => {
      const answer = await observe(subject, probe, status);
      return answer.holds ? answer : { ...answer, seen: `${answer.seen} to ${name}` };
    }),
});

const tokenRules: readonly PassRule[] = [
  answering({
    id: "401-no-token",
    rule: "A text that is not a token is refused",
    why: `${INVALID}.`,
    needs: ["--token-file"],
    status: 401,
    probe: (subject, reference) => withToken(subject, reference, "not-a-token"),
  }),
  answering({
    id: "401-bad-token",
    rule: "A token whose signature was changed is refused",
    why: `${INVALID}: a server that looks at the claims alone accepts tokens that anyone can write.`,
    needs: ["--token-file"],
    status: 401,
    probe: (subject, reference) => withSpoiledToken(subject, reference, subject.wallet.credentials.token),
  }),
  answering({
    id: "401-unsigned-token",
    rule: "A token without a signature is refused",
    why: `${INVALID}, and anyone can write a token that asks for no signature (RFC 8725 3.1, 3.2).`,
    needs: ["--token-file"],
    status: 401,
    probe: (subject, reference) => withUnsignedToken(subject, reference, subject.wallet.credentials.token),
  }),
];

const signatureRules: readonly PassRule[] = [
  answering({
    id: "401-bad-jws",
    rule: "A JWS whose signature was changed is refused",
    why: `${INVALID}, such as a JWS with a signature that its key does not verify.`,
    needs: ["--jws-key"],
    status: 401,
    probe: withSpoiledJws,
  }),
  answering({
    id: "401-strange-jws",
    rule: "A JWS by a key that is not registered is refused",
    why: `${INVALID}: a kid only names a key and proves nothing (strange.jwk.json below is another key with that kid).`,
    needs: ["--jws-key"],
    status: 401,
    probe: withStrangeJws,
  }),
  refusingEach({
    id: "401-unsigned-jws",
    rule: "A JWS without a signature is refused",
    why: `${INVALID}, and anyone can write a JWS that asks for no signature or has none (RFC 7515 10.7, RFC 8725 3.2).`,
    needs: ["--jws-key"],
    probes: unsignedForgeries,
  }),
  refusingEach({
    id: "401-brought-jws",
    rule: "A JWS by a key that stands in its own header is refused",
    why: `${INVALID}: the writer of a header chooses the jwk in it, which is not a registered key (RFC 7515 4.1.3, RFC 8725 3.10).`,
    needs: ["--jws-key"],
    probes: broughtForgeries,
  }),
  refusingEach({
    id: "401-confused-jws",
    rule: "An HS256 JWS with the public key as its secret is refused",
    why: `${INVALID}: a server that trusts the alg of the header uses the public key as a secret, which it is not (RFC 8725 2.1, 3.1).`,
    needs: ["--jws-key"],
    probes: confusedForgeries,
  }),
];

/** The part of the pass that a refusal shows; undefined when it shows nothing, or when the answer is not a refusal. */
function shownIn({ response }: Answered, body: string, tag: string): string | undefined {
  if (response === undefined || ![401, 403].includes(response.status)) return undefined;
  if (hasPass(response.body, body)) return "the pass";
  return opaque(response.headers.etag ?? "") === opaque(tag) ? "its ETag" : undefined;
}

/** The rules about credentials. */
export const credentialRules: readonly PassRule[] = [
  answering({
    id: "401-no-credentials",
    rule: "A request without credentials is refused",
    why: "A missing credential is rejected with 401 (contract, Authentication 1).",
    status: 401,
    probe: withoutCredentials,
  }),
  ...tokenRules,
  ...signatureRules,
  refusingEach({
    id: "401-strange-certificate",
    rule: "A certificate from an unknown authority is refused, whatever names it has",
    expected: "401, or no connection",
    why: `${INVALID}, such as a certificate without a trusted issuer: anyone can make one with the wallet's names (strange.pem below has its subject and alternative names, and the issuer that "seen" names).`,
    needs: ["--cert and --key"],
    probes: (subject) => withStrangeCertificates(subject, subject.plan.reference),
  }),
  answering({
    id: "403-no-scope",
    rule: "A valid token without the scope is refused",
    why: "A valid credential that lacks the scope is rejected with 403 (contract, Authentication 2).",
    needs: ["--no-scope-token-file"],
    status: 403,
    probe: withWeakToken,
  }),
  {
    // For handlers that run on after the refusal, and so send the pass along with the status.
    id: "refusal-without-pass",
    rule: "A refusal shows nothing of the pass",
    expected: "neither the pass nor its ETag",
    why: "A caller that is rejected with 401 or 403 may not read the pass (contract, Authentication), and the ETag tells when the pass changes (contract, Entity tag): the right status alone hides neither.",
    run: async (subject) => {
      const { body, tag } = await readCurrent(subject);
      if (!hasMembers(body)) throw new NotObservable("no JSON object with members in the 200");
      for (const { name, status, probe } of await refusedCallers(subject)) {
        const answer = await observe(subject, probe, status);
        const shown = shownIn(answer, body, tag);
        if (shown !== undefined)
          return { ...answer, holds: false, seen: `${answer.seen} with ${shown}, to ${name}` };
      }
      return { holds: true, seen: "neither" };
    },
  },
];
