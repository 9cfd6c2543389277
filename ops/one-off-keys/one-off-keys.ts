import { generateKeyPairSync } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { type Credential, jwsKeyId } from "../../lib/auth/credential.ts";
import type { Clock } from "../../lib/clock.ts";
import { readEnv } from "../../lib/env.ts";
import type { PassSettings } from "../../lib/passes/authenticate-wallet.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { localAudiences, localIssuer, localTokenType } from "../../local/identity/local-identity.ts";

const TOKEN_LIFE_S = 86_400;
const KID = "one-off-1";

/** Makes an issuer with a new key, which lives as long as its process. Its tokens name the local issuer. */
export async function newIssuer(clock: Clock) {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: KID, alg: "ES256", use: "sig" };
  return {
    /** Its key set, as JSON. */
    jwks: JSON.stringify({ keys: [key] }),
    /** Signs a token of a day for a subject (RFC 9068). */
    mint: (subject: string, scope: string, audience: string): Promise<string> => {
      const nowS = Math.floor(clock() / 1000);
      return new SignJWT({ scope, client_id: subject })
        .setProtectedHeader({ alg: "ES256", kid: KID, typ: localTokenType })
        .setIssuer(localIssuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + TOKEN_LIFE_S)
        .sign(privateKey);
    },
  };
}

/** The settings by which a function verifies the tokens of a one-off issuer. */
export const oneOffTokenEnv = (audience: string) =>
  ({
    TOKEN_ISSUER: localIssuer,
    TOKEN_AUDIENCE: audience,
    TOKEN_JWKS_URL: "https://issuer.example/keys",
    TOKEN_TYPE: localTokenType,
  }) as const;

/** Makes a new key of an owner that signs requests for passes, and its registration. @param createdAt epoch milliseconds. */
export function newPassKey(owner: string, createdAt: number) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const kid = `${owner}-1`;
  const publicJwk = { ...publicKey.export({ format: "jwk" }), alg: "EdDSA" };
  const credential: Credential = {
    id: jwsKeyId(kid),
    kind: "jws",
    owner,
    scopes: [getPass.scope],
    publicKey: JSON.stringify(publicJwk),
    createdAt,
  };
  return {
    /** The private JWK with its `kid`, as JSON. */
    privateJwk: JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid, alg: "EdDSA" }),
    kid,
    credential,
  };
}

/** The settings of a pass endpoint without tables, whose tokens come from a one-off issuer. */
export const oneOffPassSettings = (versionHeader: string): PassSettings =>
  readEnv(getPass.env, {
    ...oneOffTokenEnv(localAudiences.passes),
    VERSION_HEADER: versionHeader,
    STAGE_NAME: "none",
    CREDENTIALS_TABLE: "none",
    SETTINGS_TABLE: "none",
    PASSES_TABLE: "none",
    RATE_LIMITS_TABLE: "none",
    RATE_LIMIT_PASSES: JSON.stringify(getPass.limit.defaultBuckets),
  });
