import { randomUUID } from "node:crypto";
import { CompactSign, generateKeyPair, importJWK } from "jose";
import type { Clock } from "../../lib/clock.ts";
import type { Members } from "../../lib/json-value.ts";
import { getPass } from "../../lib/passes/contract.ts";
import { getTransaction } from "../../lib/transactions/contract.ts";
import { HANDED_OUT_MS, localAudiences, localIssuer, localTokenType } from "./local-identity.ts";
import type { PrivateJwk } from "./private-jwk.ts";

const TOKEN_LIFE_S = HANDED_OUT_MS / 1_000;

/** The claims of a token to sign. */
export interface TokenClaims {
  /** `sub`: the business, or the owner of the passes, that the token speaks for. */
  readonly subject: string;
  /** `scope`: words separated by one space; empty for a token that allows nothing. */
  readonly scope: string;
  /** `aud`; by default the business interface. */
  readonly audience?: string;
  /** `client_id`; by default a demo client. */
  readonly clientId?: string;
  /** Seconds from now to `exp`; by default 30 days. */
  readonly lifeS?: number;
}

/** Algorithms that a token may name, for tokens that no service accepts as well. */
export const tokenAlgorithms = ["ES256", "EdDSA", "RS256", "PS256", "HS256", "none"] as const;
type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/**
 * Ways in which a token can be malformed: `spelling` has a character that no bearer token has, `encoding` a part that is not
 * canonical base64url, `header` and `claims` a part that is not a JSON object, `extension` a header that demands an
 * extension.
 */
export const tokenDamages = ["spelling", "encoding", "header", "claims", "extension"] as const;
type TokenDamage = (typeof tokenDamages)[number];

/** What differs from a token that the local stage accepts. */
export interface TokenDeviation {
  /** `iss`. */
  readonly issuer?: string;
  /** `typ` of the header. */
  readonly type?: string;
  /** Seconds from now to `nbf`, which is absent unless given. */
  readonly notBeforeS?: number;
  /** Seconds from now to `iat`. */
  readonly issuedInS?: number;
  /** An algorithm other than the issuer's signs with a key of its own. */
  readonly algorithm?: TokenAlgorithm;
  /** Whether another key signs, under the name of the issuer's. */
  readonly isOfOtherKey?: boolean;
  /** The SHA-256 of the certificate that the token is bound to, in base64url (RFC 8705). */
  readonly boundTo?: string;
  readonly damage?: TokenDamage;
}

/** For whom a token speaks: a business, or a wallet service. */
export type TokenHolder = { readonly business: string } | { readonly wallet: string };

/** The claims by which the interface of a holder accepts a token. */
export const claimsOf = (
  holder: TokenHolder,
): Required<Pick<TokenClaims, "subject" | "scope" | "audience">> & TokenClaims =>
  "business" in holder
    ? { subject: holder.business, scope: getTransaction.scope, audience: localAudiences.business }
    : {
        subject: holder.wallet,
        scope: getPass.scope,
        audience: localAudiences.passes,
        clientId: holder.wallet,
      };

/**
 * Signs an access token (RFC 9068) of the local stage, or one that differs from it as it is told. With the same key, every
 * `npm start` on the data directory accepts the token until it ends.
 */
export async function signLocalToken(
  jwk: PrivateJwk,
  order: TokenClaims & TokenDeviation,
  clock: Clock,
): Promise<string> {
  const { damage, algorithm = jwk.alg } = order;
  const header = {
    typ: order.type ?? localTokenType,
    alg: algorithm,
    kid: jwk.kid,
    ...(damage === "extension" && { crit: [EXTENSION], [EXTENSION]: true }),
  };
  const text = damage === "claims" ? "[]" : JSON.stringify(payloadOf(order, Math.floor(clock() / 1000)));
  return damaged(await signText(text, header, await signerOf(jwk, order)), damage);
}

const EXTENSION = "urn:example:extension";

function payloadOf(order: TokenClaims & TokenDeviation, nowS: number): Members {
  const { notBeforeS, issuedInS = 0, boundTo } = order;
  return {
    client_id: order.clientId ?? "countinghouse-demo",
    scope: order.scope,
    iss: order.issuer ?? localIssuer,
    aud: order.audience ?? localAudiences.business,
    sub: order.subject,
    iat: nowS + issuedInS,
    exp: nowS + (order.lifeS ?? TOKEN_LIFE_S),
    jti: randomUUID(),
    ...(notBeforeS !== undefined && { nbf: nowS + notBeforeS }),
    ...(boundTo !== undefined && { cnf: { "x5t#S256": boundTo } }),
  };
}

type Signer = Parameters<CompactSign["sign"]>[0] | undefined;

/** The key that signs; undefined for a token without a signature. */
async function signerOf(
  jwk: PrivateJwk,
  { algorithm = "ES256", isOfOtherKey }: TokenDeviation,
): Promise<Signer> {
  if (algorithm === "none") return undefined;
  // Whoever takes the issuer's public key for a shared secret would accept this signature.
  if (algorithm === "HS256")
    return Buffer.from(JSON.stringify({ kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y }));
  const isOwn = algorithm === jwk.alg && isOfOtherKey !== true;
  return isOwn ? await importJWK(jwk) : (await generateKeyPair(algorithm)).privateKey;
}

const encoded = (text: string): string => Buffer.from(text).toString("base64url");

async function signText(
  text: string,
  header: Members & { readonly alg: string },
  key: Signer,
): Promise<string> {
  if (key === undefined) return `${encoded(JSON.stringify(header))}.${encoded(text)}.`;
  return await new CompactSign(Buffer.from(text))
    .setProtectedHeader(header)
    .sign(key, { crit: { [EXTENSION]: true } });
}

function damaged(token: string, damage: TokenDamage | undefined): string {
  if (damage === "spelling") return `${token},${token}`;
  if (damage === "encoding") return `${token}=`;
  if (damage === "header") return token.replace(/^[^.]*/, encoded("no JSON"));
  return token;
}
