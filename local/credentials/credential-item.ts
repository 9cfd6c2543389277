import type { Credential } from "../../lib/auth/credential.ts";
import type { Item } from "../../lib/dynamo/item.ts";

/** An instant in epoch milliseconds as it is stored. */
export const instant = (epochMs: number): Item[string] => ({ N: String(epochMs) });

/** A credential as it is stored. */
export const itemOf = (credential: Credential): Item => ({
  id: { S: credential.id },
  kind: { S: credential.kind },
  owner: { S: credential.owner },
  scopes: { S: credential.scopes.join(" ") },
  ...(credential.publicKey !== undefined && { public_key: { S: credential.publicKey } }),
  created_at: instant(credential.createdAt),
  ...(credential.expiresAt !== undefined && { expires_at: instant(credential.expiresAt) }),
  ...(credential.revokedAt !== undefined && { revoked_at: instant(credential.revokedAt) }),
});
