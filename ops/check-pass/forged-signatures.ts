import { createPublicKey } from "node:crypto";
import { exportJWK, FlattenedSign, generateKeyPair, type JWK } from "jose";
import type { Clock } from "../../lib/clock.ts";
import { type JwsSigningKey, signedHeader } from "../wallet/jws-signer.ts";
import { connected, type RefusedProbe } from "./bad-credentials.ts";
import type { Subject } from "./rule.ts";

/** Makes requests with signatures that anyone can write who knows the public half of a registered key. */
export type Forgery = (
  subject: Subject,
  reference: string,
  key: JwsSigningKey,
  clock: Clock,
) => Promise<readonly RefusedProbe[]>;

const forged = (subject: Subject, reference: string, name: string, jws: string): RefusedProbe => ({
  name,
  status: 401,
  probe: { reference, headers: { "Jws-Signature": jws }, credentials: connected(subject) },
});

/** JWS without a signature: the header asks for none, or names the key's algorithm before an empty signature. */
export const unsignedForgeries: Forgery = async (subject, reference, key, clock) => {
  const path = subject.wallet.urlOf(reference).pathname;
  const unsigned = (alg: string): string => {
    const header = JSON.stringify(signedHeader({ ...key, alg }, path, clock));
    return `${Buffer.from(header).toString("base64url")}..`;
  };
  return [
    forged(subject, reference, "a JWS with the algorithm none", unsigned("none")),
    forged(subject, reference, `a JWS of ${key.alg} with no signature`, unsigned(key.alg)),
  ];
};

async function sign(
  header: ReturnType<typeof signedHeader> & { readonly jwk?: JWK },
  key: Parameters<FlattenedSign["sign"]>[0],
): Promise<string> {
  const signer = new FlattenedSign(new Uint8Array()).setProtectedHeader(header);
  const jws = await signer.sign(key);
  return `${jws.protected}..${jws.signature}`;
}

/** JWS by a new key that stands in the header: under the `kid` of the right key, and under another. */
export const broughtForgeries: Forgery = async (subject, reference, key, clock) => {
  const { alg } = key;
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const path = subject.wallet.urlOf(reference).pathname;
  const forge = async (name: string, kid: string): Promise<RefusedProbe> => {
    const jwk = { ...(await exportJWK(publicKey)), kid, alg };
    const header = { ...signedHeader({ alg, kid }, path, clock), jwk };
    return forged(subject, reference, name, await sign(header, privateKey));
  };
  return [
    await forge("a JWS with its key in the header", key.kid),
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
export const confusedForgeries: Forgery = async (subject, reference, key, clock) => {
  const path = subject.wallet.urlOf(reference).pathname;
  const forge = async (text: string): Promise<RefusedProbe> => {
    const header = signedHeader({ ...key, alg: "HS256" }, path, clock);
    const jws = await sign(header, Buffer.from(text));
    return forged(subject, reference, "an HS256 JWS with the public key as its secret", jws);
  };
  return Promise.all(textsOf(key).map(forge));
};
