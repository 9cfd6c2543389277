import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { IssuerKeySet, type IssuerKeys } from "../../lib/auth/key-set.ts";
import { NOW } from "./chain.ts";

export const ISSUER = "https://issuer.example";
export const AUDIENCE = "business-api";

/** Claims of a token; one that is undefined is left out. */
export type ChangedClaims = { readonly [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined };

/** A token issuer's key pair, and tokens signed with it: well-formed unless a test changes a claim or the header. */
export async function tokenIssuer(alg = "ES256", kid = "key-1") {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  const mint = (claims: ChangedClaims = {}, header: Record<string, unknown> = {}): Promise<string> => {
    const seconds = Math.floor(NOW / 1000);
    const payload = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub: "business-1",
      scope: "transactions.read",
      iat: seconds,
      exp: seconds + 60,
      ...claims,
    };
    const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
    return new SignJWT(present).setProtectedHeader({ alg, kid, typ: "at+jwt", ...header }).sign(privateKey);
  };
  return { jwk, privateKey, publicKey, mint };
}

/** The keys of an issuer that publishes these. */
export const issuerKeys = (...keys: readonly unknown[]): IssuerKeys =>
  new IssuerKeySet({
    url: new URL("https://issuer.example/keys"),
    clock: () => NOW,
    fetchText: async () => JSON.stringify({ keys }),
  });
