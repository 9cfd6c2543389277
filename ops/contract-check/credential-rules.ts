import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { type SigningKey, signDetached } from "../wallet/jws-signer.ts";
import type { Probe, WalletCredentials } from "../wallet/wallet.ts";
import { NotObservable, observeRefusal, observeStatus, type Rule, type Subject } from "./rule.ts";

const HOUR_MS = 3_600_000;

/** A character near the end replaced, since the very last one may carry bits that count for nothing: the same form, and no signature. */
const spoil = (text: string): string => {
  const at = Math.max(0, text.length - 5);
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
};

/** The same in a shell: what prints the right text, and then another end. */
const spoiledBy = (print: string): string => `${print} | sed -E 's/.{5}$/AAAAA/'`;

const lacksToken = ({ wallet }: Subject) =>
  wallet.credentials.token === undefined ? "--token-file" : undefined;
const lacksKey = ({ wallet }: Subject) =>
  wallet.credentials.signingKey === undefined ? "--jws-key" : undefined;
const lacksCertificate = ({ wallet }: Subject) =>
  wallet.credentials.tls.cert === undefined ? "--cert and --key" : undefined;

/** Nothing but whom to trust: no credential of any kind. */
const bare = ({ wallet }: Subject): WalletCredentials => {
  const { ca } = wallet.credentials.tls;
  return { tls: ca === undefined ? {} : { ca } };
};

/** The connection as it is, and nothing that proves the caller beyond it. */
const connected = ({ wallet }: Subject): WalletCredentials => ({ tls: wallet.credentials.tls });

/** A token of three parts whose header asks for no signature at all. */
function unsigned(token: string): string {
  const [, claims] = token.split(".");
  if (claims === undefined) throw new NotObservable("the token is no JWT");
  return `${UNSIGNED_HEADER}.${claims}.`;
}

const UNSIGNED_HEADER = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
const unsignedBy = (print: string): string => `printf '${UNSIGNED_HEADER}.%s.' "$(${print} | cut -d. -f2)"`;

/** A key of the same kid that the server cannot know. */
function strangeKey({ kid }: SigningKey): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { ...privateKey.export({ format: "jwk" }), kid, alg: "EdDSA" };
}

/** A client certificate, valid today, of an authority that nobody trusts. */
async function strangeCertificate(now: number) {
  // Loaded here only: it is large, and every command would wait for it.
  const { createAuthority, issueCertificate } = await import("../../infra/local/tls/certificates.ts");
  const validity = { notBefore: now - HOUR_MS, notAfter: now + HOUR_MS };
  const authority = await createAuthority("CN=Unknown Authority", validity);
  const { certificate, key } = await issueCertificate(authority, {
    subject: "CN=poller",
    use: "client",
    ...validity,
  });
  return { cert: certificate, key };
}

const INVALID_WHY = "An invalid credential is rejected with 401 (contract, Authentication 1)";

/** A token or signature that must be turned away, the other of them left out. */
const refusing = (
  about: Pick<Rule, "id" | "rule" | "why"> & Required<Pick<Rule, "lacks">>,
  spoiled: (subject: Subject) => WalletCredentials,
  spoiledBy?: Probe["spoiledBy"],
): Rule => ({
  ...about,
  expected: "401",
  run: (subject) =>
    observeRefusal(subject.wallet, {
      reference: subject.plan.reference,
      credentials: spoiled(subject),
      ...(spoiledBy && { spoiledBy }),
    }),
});

const absenceOfCredentials: readonly Rule[] = [
  {
    id: "401-no-credentials",
    rule: "A request without credentials is refused",
    expected: "401",
    why: "A missing credential is rejected with 401 (contract, Authentication 1).",
    run: (subject) =>
      observeRefusal(subject.wallet, { reference: subject.plan.reference, credentials: bare(subject) }),
  },
  {
    id: "401-unknown-alike",
    rule: "Without credentials, a pass that is not there looks the same",
    expected: "401",
    why: "A missing credential is rejected with 401 (contract, Authentication 1): another answer tells strangers which passes there are.",
    run: (subject) =>
      observeRefusal(subject.wallet, { reference: "check-nobody", credentials: bare(subject) }),
  },
];

const tokenRules: readonly Rule[] = [
  refusing(
    {
      id: "401-no-token",
      rule: "A text that is no token is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}.`,
    },
    (subject) => ({ ...connected(subject), token: "not-a-token" }),
  ),
  refusing(
    {
      id: "401-bad-token",
      rule: "A token whose signature was changed is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}: whoever looks at the claims alone takes tokens that anybody wrote.`,
    },
    (subject) => ({ ...connected(subject), token: spoil(subject.wallet.credentials.token ?? "") }),
    spoiledBy,
  ),
  refusing(
    {
      id: "401-unsigned-token",
      rule: "A token without a signature is refused",
      lacks: lacksToken,
      why: `${INVALID_WHY}, and a token that asks for no signature (RFC 8725 3.1, 3.2) can be written by anybody.`,
    },
    (subject) => ({ ...connected(subject), token: unsigned(subject.wallet.credentials.token ?? "") }),
    unsignedBy,
  ),
];

const signatureRules = (clock: Clock): readonly Rule[] => [
  {
    id: "401-bad-jws",
    rule: "A JWS whose signature was changed is refused",
    expected: "401",
    why: `${INVALID_WHY}, such as a JWS whose signature is not that of its key.`,
    lacks: lacksKey,
    run: async (subject) => {
      const { wallet, plan } = subject;
      const key = wallet.credentials.signingKey as SigningKey;
      const jws = spoil(await signDetached(key, wallet.urlOf(plan.reference).pathname, clock));
      const headers = { "Jws-Signature": jws };
      const credentials = connected(subject);
      return observeRefusal(wallet, { reference: plan.reference, headers, credentials, spoiledBy });
    },
  },
  refusing(
    {
      id: "401-strange-jws",
      rule: "A JWS of a key that is not registered is refused",
      lacks: lacksKey,
      why: `${INVALID_WHY}: a kid names a key and proves nothing (strange.jwk.json below is another key of that kid).`,
    },
    (subject) => ({
      ...connected(subject),
      signingKey: strangeKey(subject.wallet.credentials.signingKey as SigningKey),
    }),
  ),
];

const certificateRules = (clock: Clock): readonly Rule[] => [
  {
    id: "401-strange-certificate",
    rule: "A certificate of an unknown authority is refused",
    expected: "401, or no connection",
    why: `${INVALID_WHY}, such as a certificate (strange.pem below) of an authority that nobody was told to trust.`,
    lacks: lacksCertificate,
    run: async (subject) => {
      const tls = { ...bare(subject).tls, ...(await strangeCertificate(clock())) };
      return observeRefusal(subject.wallet, { reference: subject.plan.reference, credentials: { tls } });
    },
  },
];

const scopeRules: readonly Rule[] = [
  {
    id: "403-no-scope",
    rule: "A valid token without the scope is refused",
    expected: "403",
    why: "A valid credential that lacks the scope is rejected with 403 (contract, Authentication 2).",
    lacks: ({ plan }) => (plan.noScopeToken === undefined ? "--no-scope-token-file" : undefined),
    run: ({ wallet, plan }) =>
      observeStatus(
        wallet,
        {
          reference: plan.reference,
          credentials: {
            tls: wallet.credentials.tls,
            ...(plan.noScopeToken && { token: plan.noScopeToken }),
          },
        },
        403,
      ),
  },
];

/** Who is let in. The clock says when the credentials that are made for it are valid. */
export const credentialRules = (clock: Clock): readonly Rule[] => [
  ...absenceOfCredentials,
  ...tokenRules,
  ...signatureRules(clock),
  ...certificateRules(clock),
  ...scopeRules,
];
