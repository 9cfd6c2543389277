import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { exportJWK, FlattenedSign, generateKeyPair, type JWK } from "jose";
import { NotObservable } from "../checks/rule.ts";
import { type JwsSigningKey, signDetached, signedHeader } from "../wallet/jws-signer.ts";
import type { Probe, WalletCredentials } from "../wallet/wallet.ts";
import type { Subject } from "./subject.ts";

/** A request that the server must refuse, the status of the refusal, and how findings name the request. */
export interface RefusedProbe {
  readonly name: string;
  readonly status: number;
  readonly probe: Probe;
}

/**
 * Replaces a character near the end, so that the form stays right and the signature is wrong. The last character is not
 * replaced, because it may carry bits that do not count.
 */
const spoil = (text: string): string => {
  const at = Math.max(0, text.length - 5);
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
};

/** The shell command that prints the right text with another end. */
const spoiledBy = (print: string): string => `${print} | sed -E 's/.{5}$/AAAAA/'`;

/** No credential at all, only the authority to trust. */
const bare = ({ wallet }: Subject): WalletCredentials => {
  const { ca } = wallet.credentials.tls;
  return { tls: { ...(ca !== undefined && { ca }) } };
};

/** The connection's credentials, and no others. */
const connected = ({ wallet }: Subject): WalletCredentials => ({ tls: wallet.credentials.tls });

/** A request with no credential at all. */
export const withoutCredentials = (subject: Subject, reference: string): Probe => ({
  reference,
  credentials: bare(subject),
});

/** A request with this token, and no other credentials but the connection's. */
export const withToken = (subject: Subject, reference: string, token: string): Probe => ({
  reference,
  credentials: { ...connected(subject), token },
});

/** A request with a valid token that lacks the scope. */
export const withWeakToken = (subject: Subject, reference: string): Probe =>
  withToken(subject, reference, subject.plan.noScopeToken ?? "");

/** A request with a token whose signature was changed. */
export const withSpoiledToken = (subject: Subject, reference: string, token = ""): Probe => ({
  ...withToken(subject, reference, spoil(token)),
  spoiledBy,
});

/** A token with these claims, whose header asks for no signature. */
const UNSIGNED_HEADER = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
const unsignedBy = (print: string): string => `printf '${UNSIGNED_HEADER}.%s.' "$(${print} | cut -d. -f2)"`;

/** A request with the claims of a token and no signature. @throws {NotObservable} when the token is not a JWT. */
export function withUnsignedToken(subject: Subject, reference: string, token = ""): Probe {
  const [, claims] = token.split(".");
  if (claims === undefined) throw new NotObservable("the token is not a JWT");
  const unsigned = `${UNSIGNED_HEADER}.${claims}.`;
  return { ...withToken(subject, reference, unsigned), spoiledBy: unsignedBy };
}

/** A request with this signature, and no other credentials but the connection's. */
const withJws = (subject: Subject, reference: string, jws: string): Probe => ({
  reference,
  headers: { "Jws-Signature": jws },
  credentials: connected(subject),
});

const pathOf = ({ wallet }: Subject, reference: string): string => wallet.urlOf(reference).pathname;

/** The key of the check. Rules that use it need `--jws-key`. */
const keyOf = ({ wallet }: Subject): JwsSigningKey => wallet.credentials.signingKey as JwsSigningKey;

/** A request with a JWS by the right key whose signature was changed. */
export async function withSpoiledJws(subject: Subject, reference: string): Promise<Probe> {
  const jws = await signDetached(keyOf(subject), pathOf(subject, reference), subject.wallet.options.clock);
  return { ...withJws(subject, reference, spoil(jws)), spoiledBy };
}

/** A request with a JWS by another key, under the `kid` of the right one. */
export function withStrangeJws(subject: Subject, reference: string): Probe {
  const { privateKey } = generateKeyPairSync("ed25519");
  const signingKey = { ...privateKey.export({ format: "jwk" }), kid: keyOf(subject).kid, alg: "EdDSA" };
  return { reference, credentials: { ...connected(subject), signingKey } };
}

/** Makes requests for the pass with signatures that anyone can write who knows the public half of a registered key. */
type Forgery = (subject: Subject) => readonly RefusedProbe[] | Promise<readonly RefusedProbe[]>;

const forged = (subject: Subject, name: string, jws: string): RefusedProbe => ({
  name,
  status: 401,
  probe: withJws(subject, subject.plan.reference, jws),
});

/** The header of a JWS for the pass. */
const headerOf = (subject: Subject, key: Pick<JwsSigningKey, "alg" | "kid">) =>
  signedHeader(key, pathOf(subject, subject.plan.reference), subject.wallet.options.clock);

/** JWS without a signature: the header asks for none, or names the key's algorithm before an empty signature. */
export const unsignedForgeries: Forgery = (subject) => {
  const key = keyOf(subject);
  const unsigned = (alg: string): string => {
    const header = JSON.stringify(headerOf(subject, { ...key, alg }));
    return `${Buffer.from(header).toString("base64url")}..`;
  };
  return [
    forged(subject, "a JWS with the algorithm none", unsigned("none")),
    forged(subject, `a JWS of ${key.alg} with no signature`, unsigned(key.alg)),
  ];
};

async function sign(
  header: ReturnType<typeof signedHeader> & { readonly jwk?: JWK },
  key: Parameters<FlattenedSign["sign"]>[0],
): Promise<string> {
  const jws = await new FlattenedSign(new Uint8Array()).setProtectedHeader(header).sign(key);
  return `${jws.protected}..${jws.signature}`;
}

/** JWS by a new key that stands in the header: under the `kid` of the right key, and under another. */
export const broughtForgeries: Forgery = async (subject) => {
  const { alg, kid: registered } = keyOf(subject);
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const forge = async (name: string, kid: string): Promise<RefusedProbe> => {
    const jwk = { ...(await exportJWK(publicKey)), kid, alg };
    return forged(subject, name, await sign({ ...headerOf(subject, { alg, kid }), jwk }, privateKey));
  };
  return [
    await forge("a JWS with its key in the header", registered),
    await forge("a JWS with its key in the header, under another kid", "check-pass"),
  ];
};

/** The texts in which servers keep a public key: a JWK in several orders, with and without `kid` and `alg`, or PEM. */
function textsOf({ kty, crv, x, y, n, e, kid, alg }: JwsSigningKey): readonly string[] {
  const jwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JWK;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  // The order of a thumbprint (RFC 7638 3.3), in which public keys are often kept.
  const sorted = Object.fromEntries(Object.entries(jwk).sort(([one], [other]) => (one < other ? -1 : 1)));
  const orders = [jwk, sorted, key.export({ format: "jwk" })];
  const jwks = orders.flatMap((members) => [members, { ...members, alg }, { ...members, kid, alg }]);
  const pem = String(key.export({ type: "spki", format: "pem" }));
  return [...new Set([...jwks.map((members) => JSON.stringify(members)), pem, pem.trim()])];
}

/** An HMAC whose secret is the text of the public key. */
export const confusedForgeries: Forgery = (subject) => {
  const key = keyOf(subject);
  const forge = async (text: string): Promise<RefusedProbe> => {
    const jws = await sign(headerOf(subject, { ...key, alg: "HS256" }), Buffer.from(text));
    return forged(subject, "an HS256 JWS with the public key as its secret", jws);
  };
  return Promise.all(textsOf(key).map(forge));
};

/** Requests with certificates that have the names of the right one, but no trusted issuer. */
export async function withStrangeCertificates(
  subject: Subject,
  reference: string,
): Promise<readonly RefusedProbe[]> {
  const { cert = "" } = subject.wallet.credentials.tls;
  // Imported only here, because the module is large and would slow every command down.
  const { feignedIssuers, imitateCertificate } = await import("./imitate-certificate.ts");
  const probes = feignedIssuers.map(async (issuer) => ({
    name: `a certificate with the same names, issued by ${issuer}`,
    status: 401,
    probe: {
      reference,
      credentials: { tls: { ...bare(subject).tls, ...(await imitateCertificate(cert, issuer)) } },
    },
  }));
  return Promise.all(probes);
}

/** Requests without a valid credential: one without any, and a forgery of each credential that was given. */
export async function strangersTo(reference: string, subject: Subject): Promise<readonly RefusedProbe[]> {
  const { token, signingKey, tls } = subject.wallet.credentials;
  const forgers: Record<string, Probe> = {
    "a caller without credentials": withoutCredentials(subject, reference),
    ...(token !== undefined && { "a changed token": withSpoiledToken(subject, reference, token) }),
    ...(signingKey !== undefined && { "a changed JWS": await withSpoiledJws(subject, reference) }),
  };
  return [
    ...Object.entries(forgers).map(([name, probe]) => ({ name, status: 401, probe })),
    ...(tls.cert === undefined ? [] : await withStrangeCertificates(subject, reference)),
  ];
}

/** Requests with a valid credential that lacks the scope. */
export const unscopedTo = (reference: string, subject: Subject): readonly RefusedProbe[] => [
  { name: "a token without the scope", status: 403, probe: withWeakToken(subject, reference) },
];

/** The requests for the pass that must be refused, with each bad credential that can be made or was given. */
export const refusedCallers = async (subject: Subject): Promise<readonly RefusedProbe[]> => {
  const { reference, noScopeToken } = subject.plan;
  const unscoped = noScopeToken === undefined ? [] : unscopedTo(reference, subject);
  return [...(await strangersTo(reference, subject)), ...unscoped];
};
