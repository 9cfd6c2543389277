import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { type SigningKey, signDetached } from "../wallet/jws-signer.ts";
import type { WalletCredentials } from "../wallet/wallet.ts";
import { NotObservable, observeRefusal, observeStatus, type Rule, type Subject } from "./rule.ts";

const HOUR_MS = 3_600_000;

/** A character near the end replaced, since the very last one may carry bits that count for nothing: the same form, and no signature. */
const spoil = (text: string): string => {
  const at = Math.max(0, text.length - 5);
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
};

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
  return `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${claims}.`;
}

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

/** A token or signature that must be turned away, the other of them left out. */
const refusing = (
  id: string,
  rule: string,
  lacks: (subject: Subject) => string | undefined,
  spoiled: (subject: Subject) => WalletCredentials,
): Rule => ({
  id,
  rule,
  expected: "401",
  lacks,
  run: (subject) =>
    observeRefusal(subject.wallet, { reference: subject.plan.reference, credentials: spoiled(subject) }),
});

const absenceOfCredentials: readonly Rule[] = [
  {
    id: "401-no-credentials",
    rule: "A request without credentials is refused",
    expected: "401",
    run: (subject) =>
      observeRefusal(subject.wallet, { reference: subject.plan.reference, credentials: bare(subject) }),
  },
  {
    id: "401-unknown-alike",
    rule: "Without credentials, a pass that is not there looks the same",
    expected: "401",
    run: (subject) =>
      observeRefusal(subject.wallet, { reference: "check-nobody", credentials: bare(subject) }),
  },
];

const tokenRules: readonly Rule[] = [
  refusing("401-no-token", "A text that is no token is refused", lacksToken, (subject) => ({
    ...connected(subject),
    token: "not-a-token",
  })),
  refusing("401-bad-token", "A token whose signature was changed is refused", lacksToken, (subject) => ({
    ...connected(subject),
    token: spoil(subject.wallet.credentials.token ?? ""),
  })),
  refusing("401-unsigned-token", "A token without a signature is refused", lacksToken, (subject) => ({
    ...connected(subject),
    token: unsigned(subject.wallet.credentials.token ?? ""),
  })),
];

const signatureRules = (clock: Clock): readonly Rule[] => [
  {
    id: "401-bad-jws",
    rule: "A JWS whose signature was changed is refused",
    expected: "401",
    lacks: lacksKey,
    run: async (subject) => {
      const { wallet, plan } = subject;
      const key = wallet.credentials.signingKey as SigningKey;
      const jws = spoil(await signDetached(key, wallet.urlOf(plan.reference).pathname, clock));
      const headers = { "Jws-Signature": jws };
      return observeRefusal(wallet, { reference: plan.reference, headers, credentials: connected(subject) });
    },
  },
  refusing("401-strange-jws", "A JWS of a key that is not registered is refused", lacksKey, (subject) => ({
    ...connected(subject),
    signingKey: strangeKey(subject.wallet.credentials.signingKey as SigningKey),
  })),
];

const certificateRules = (clock: Clock): readonly Rule[] => [
  {
    id: "401-strange-certificate",
    rule: "A certificate of an unknown authority is refused",
    expected: "401, or no connection",
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
