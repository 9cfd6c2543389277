import { generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { type JwsSigningKey, signDetached } from "../wallet/jws-signer.ts";
import type { Probe, WalletCredentials } from "../wallet/wallet.ts";
import { NotObservable, type Subject } from "./rule.ts";

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
export const connected = ({ wallet }: Subject): WalletCredentials => ({ tls: wallet.credentials.tls });

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

/** A request with a token whose signature was changed. */
export const withSpoiledToken = (subject: Subject, reference: string, token: string): Probe => ({
  ...withToken(subject, reference, spoil(token)),
  spoiledBy,
});

/** A token with these claims, whose header asks for no signature. */
const unsigned = (claims: string): string => `${UNSIGNED_HEADER}.${claims}.`;
const UNSIGNED_HEADER = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
const unsignedBy = (print: string): string => `printf '${UNSIGNED_HEADER}.%s.' "$(${print} | cut -d. -f2)"`;

/** A request with the claims of a token and no signature. @throws {NotObservable} when the token is not a JWT. */
export function withUnsignedToken(subject: Subject, reference: string, token: string): Probe {
  const [, claims] = token.split(".");
  if (claims === undefined) throw new NotObservable("the token is not a JWT");
  return { ...withToken(subject, reference, unsigned(claims)), spoiledBy: unsignedBy };
}

/** A request with a JWS by the right key whose signature was changed. */
export async function withSpoiledJws(
  subject: Subject,
  reference: string,
  key: JwsSigningKey,
  clock: Clock,
): Promise<Probe> {
  const jws = spoil(await signDetached(key, subject.wallet.urlOf(reference).pathname, clock));
  return { reference, headers: { "Jws-Signature": jws }, credentials: connected(subject), spoiledBy };
}

/** A request with a JWS by another key, under the `kid` of the right one. */
export function withStrangeJws(subject: Subject, reference: string, { kid }: JwsSigningKey): Probe {
  const { privateKey } = generateKeyPairSync("ed25519");
  const signingKey = { ...privateKey.export({ format: "jwk" }), kid, alg: "EdDSA" };
  return { reference, credentials: { ...connected(subject), signingKey } };
}

/** Requests with certificates that have the names of the right one, but no trusted issuer. */
export async function withStrangeCertificates(
  subject: Subject,
  reference: string,
  certificate: string,
): Promise<readonly RefusedProbe[]> {
  // Imported only here, because the module is large and would slow every command down.
  const { feignedIssuers, imitateCertificate } = await import("./imitate-certificate.ts");
  const probes: RefusedProbe[] = [];
  for (const issuer of feignedIssuers) {
    const tls = { ...bare(subject).tls, ...(await imitateCertificate(certificate, issuer)) };
    const name = `a certificate with the same names, issued by ${issuer}`;
    probes.push({ name, status: 401, probe: { reference, credentials: { tls } } });
  }
  return probes;
}

/** Requests without a valid credential: one without any, and a forgery of each credential that was given. */
export async function strangersTo(
  reference: string,
  subject: Subject,
  clock: Clock,
): Promise<readonly RefusedProbe[]> {
  const { token, signingKey, tls } = subject.wallet.credentials;
  const forgers: [name: string, probe: Probe][] = [
    ["a caller without credentials", withoutCredentials(subject, reference)],
  ];
  if (token !== undefined) forgers.push(["a changed token", withSpoiledToken(subject, reference, token)]);
  if (signingKey !== undefined)
    forgers.push(["a changed JWS", await withSpoiledJws(subject, reference, signingKey, clock)]);
  return [
    ...forgers.map(([name, probe]) => ({ name, status: 401, probe })),
    ...(tls.cert === undefined ? [] : await withStrangeCertificates(subject, reference, tls.cert)),
  ];
}

/** The missing option for a token without the scope; undefined when the option was given. */
export const lacksWeakToken = ({ plan }: Subject): string | undefined =>
  plan.noScopeToken === undefined ? "--no-scope-token-file" : undefined;

/** Requests with a valid credential that lacks the scope. */
export const unscopedTo = (reference: string, subject: Subject): readonly RefusedProbe[] => [
  {
    name: "a token without the scope",
    status: 403,
    probe: withToken(subject, reference, subject.plan.noScopeToken ?? ""),
  },
];
