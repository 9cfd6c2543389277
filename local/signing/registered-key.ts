import { type Credential, exchangeKeyId, isInForce } from "../../lib/auth/credential.ts";
import type { CredentialStore } from "../../lib/auth/credential-store.ts";
import { isExchangeApiKey } from "../../lib/auth/exchange-key.ts";
import type { ExplainParts } from "./explain-signature.ts";

/** What a store knows of the API key of a refused request. */
export interface RegisteredKey {
  /** The public key that is registered under it; none for an unknown one. */
  readonly keys: ExplainParts["publicKeys"];
  /** What is wrong with the API key, one sentence each. */
  readonly findings: readonly string[];
}

/** A public key, 64 hex digits, under the name that findings give the registered one. */
export const registered = (hex: string): ExplainParts["publicKeys"][number] => ({
  hex,
  what: "the registered key",
});

/** Looks up an API key. A text that cannot be one is not looked up, and has no findings. */
export async function findRegisteredKey(
  credentials: Pick<CredentialStore, "get">,
  apiKey: string,
  judgedAt: number,
): Promise<RegisteredKey> {
  if (!isExchangeApiKey(apiKey)) return { keys: [], findings: [] };
  const credential = await credentials.get(exchangeKeyId(apiKey));
  if (credential === undefined)
    return { keys: [], findings: ["The API key is not registered in this store."] };
  const { publicKey } = credential;
  return {
    keys: publicKey === undefined ? [] : [registered(publicKey)],
    findings: explainCredential(credential, judgedAt),
  };
}

function explainCredential(credential: Credential, judgedAt: number): string[] {
  const state = credential.revokedAt === undefined ? "expired" : "revoked";
  const dead = isInForce(credential, judgedAt) ? [] : [`The API key is ${state}.`];
  const scope = credential.scopes.includes("trades.read")
    ? []
    : ["The API key lacks the scope trades.read: 403."];
  return [...dead, ...scope];
}
