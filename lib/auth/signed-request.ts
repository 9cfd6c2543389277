import type { KeyObject } from "node:crypto";
import type { Brand } from "../brand.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { HttpRequest } from "../http/request.ts";
import { ownMember } from "../own-member.ts";
import { type Authenticate, invalidCredentials } from "../principal.ts";
import { ambiguityOf, decodeSignature, signedText } from "../signature/canonical-request.ts";
import { isSignatureOf, readPublicKey } from "../signature/ed25519.ts";
import { explainFreshness, type Freshness, judgeFreshness } from "../signature/freshness.ts";
import type { FreshnessLimits } from "../signature/settings.ts";
import { type Credential, exchangeKeyId, isInForce, principalOf } from "./credential.ts";
import { isExchangeApiKey } from "./exchange-key.ts";

export interface SignedRequestParts {
  readonly brand: Pick<Brand, "headerPrefix" | "basePath">;
  readonly freshness: FreshnessLimits;
  readonly credentials: { get(id: string): Promise<Credential | undefined> };
  readonly clock: Clock;
}

/** The proof in a signed request, each part of which has the right form. */
interface Proof {
  readonly apiKey: string;
  readonly text: string;
  readonly signature: Uint8Array;
}

/**
 * Proves a trading client by its API key and an Ed25519 signature over the request (contract: exchange and ramp,
 * authentication A). Forms are judged first, then the timestamp's freshness, both before any key is looked up. Then
 * come the key, the signature, and whether the key is in force. Only a request that passed all of these checks learns
 * that its timestamp lies ahead (409).
 */
export function signedRequest(parts: SignedRequestParts): Authenticate<HttpRequest> {
  // Lives as long as the store remembers the credential, because the store returns the same object until then.
  const publicKeys = new WeakMap<Credential, KeyObject>();
  return async (request) => {
    const now = parts.clock();
    const timestampHeader = `${parts.brand.headerPrefix}Timestamp`;
    const timestamp = headerOf(request, timestampHeader);
    const proof = readProof(request, timestamp, parts.brand);
    const freshness = judgeFreshness(timestamp, now, parts.freshness);
    const explained = () => explainFreshness(timestampHeader, freshness, now, parts.freshness);
    refuseLate(freshness, explained);
    const credential = await parts.credentials.get(exchangeKeyId(proof.apiKey));
    requireSignature(proof, credential, publicKeys);
    if (!isInForce(credential, now)) throw invalidCredentials("expired or revoked API key");
    if (freshness.verdict === "ahead") throw new Failure("timestamp_in_future", explained());
    return principalOf(credential);
  };
}

/** A header that was sent twice arrives joined with a comma, which none of the forms below contains. */
function headerOf(request: HttpRequest, name: string): string {
  const value = ownMember(request.headers, name.toLowerCase());
  if (value === undefined) throw invalidCredentials("a header of the signature is missing");
  return value;
}

function readProof(request: HttpRequest, timestamp: string, brand: SignedRequestParts["brand"]): Proof {
  const apiKey = headerOf(request, `${brand.headerPrefix}API-Key`);
  if (!isExchangeApiKey(apiKey)) throw invalidCredentials("malformed API key");
  const signature = decodeSignature(headerOf(request, `${brand.headerPrefix}Signature`));
  if (signature === undefined) throw invalidCredentials("malformed signature");
  const { method, path, rawQuery, hasBody } = request;
  const signed = { timestamp, method, path: `${brand.basePath}${path}`, rawQuery };
  const ambiguity = ambiguityOf(signed, hasBody);
  if (ambiguity !== undefined) throw invalidCredentials(ambiguity);
  return { apiKey, text: signedText(signed), signature };
}

/** This refusal says more than others do, but the same to every caller, because no key has been looked up. */
function refuseLate({ verdict }: Freshness, explained: () => string): void {
  if (verdict === "malformed" || verdict === "stale")
    throw new Failure("invalid_credentials", explained(), { cause: `${verdict} timestamp` });
}

function requireSignature(
  proof: Proof,
  credential: Credential | undefined,
  publicKeys: WeakMap<Credential, KeyObject>,
): asserts credential is Credential {
  if (credential === undefined) throw invalidCredentials("unknown API key");
  const publicKey =
    publicKeys.get(credential) ?? readPublicKey(Buffer.from(credential.publicKey ?? "", "hex"));
  if (publicKey === undefined) throw invalidCredentials("the registered public key is not usable");
  publicKeys.set(credential, publicKey);
  if (!isSignatureOf(proof.text, proof.signature, publicKey))
    throw invalidCredentials("the signature does not match");
}
