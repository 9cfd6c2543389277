import type { Clock } from "../clock.ts";
import type { Item } from "../dynamo/item.ts";
import { ReadCache } from "../dynamo/read-cache.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { LoggableError } from "../errors.ts";
import type { Credential, CredentialKind } from "./credential.ts";

/** Looks up credentials. Strongly consistent, and remembered for five seconds, in which a revocation takes effect. */
export class CredentialStore {
  readonly #table: Table;
  readonly #cache: ReadCache<Credential>;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#cache = new ReadCache(clock);
  }

  /** The credential with an id, in force or not. Absence is never remembered, so a new credential works at once. */
  get(id: string): Promise<Credential | undefined> {
    return this.#cache.get(id, async () => {
      const item = await readItem(this.#table, { key: { id } });
      return item && credentialOf(item);
    });
  }
}

/** A stored item as a credential. */
export function credentialOf(item: Item): Credential {
  const [id, kind, owner] = [item.id?.S, item.kind?.S, item.owner?.S];
  if (id === undefined || kind === undefined || owner === undefined) {
    throw new LoggableError("A stored credential lacks its id, kind or owner.");
  }
  return {
    id,
    kind: kind as CredentialKind,
    owner,
    scopes: (item.scopes?.S ?? "").split(" ").filter((scope) => scope !== ""),
    createdAt: Number(item.created_at?.N ?? 0),
    ...(item.public_key?.S !== undefined && { publicKey: item.public_key.S }),
    ...(item.expires_at?.N !== undefined && { expiresAt: Number(item.expires_at.N) }),
    ...(item.revoked_at?.N !== undefined && { revokedAt: Number(item.revoked_at.N) }),
  };
}
