import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../clock.ts";
import { ReadCache } from "../dynamo/cache.ts";
import { callStore } from "../dynamo/client.ts";
import { Failure } from "../errors.ts";
import type { Credential, CredentialKind } from "./credential.ts";

const UNPROCESSED_RETRY_AFTER_MS = 1_000;

/** Looks credentials up. Strongly consistent, remembered for five seconds: within those a revoked one dies. */
export class CredentialStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #cache: ReadCache<Credential>;
  readonly #groups: ReadCache<readonly Credential[]>;

  constructor(client: DynamoDBClient, tableName: string, clock: Clock) {
    this.#client = client;
    this.#tableName = tableName;
    this.#cache = new ReadCache(clock);
    this.#groups = new ReadCache(clock);
  }

  /** The credential with an id, whether it is in force or not; absent is never remembered, so a new one works at once. */
  find(id: string): Promise<Credential | undefined> {
    return this.#cache.get(id, async () => {
      const { Item } = await callStore(() =>
        this.#client.send(
          new GetItemCommand({ TableName: this.#tableName, Key: { id: { S: id } }, ConsistentRead: true }),
        ),
      );
      return Item === undefined ? undefined : credentialOf(Item);
    });
  }

  /**
   * Every credential among these ids, of which there are 1 to 100, by one read. What was found is remembered together,
   * so that neither a registration nor a revocation of one of them takes longer to count than another's.
   */
  async findAll(ids: readonly string[]): Promise<readonly Credential[]> {
    const found = await this.#groups.get(ids.join(" "), async () => {
      const credentials = await this.#readAll(ids);
      return credentials.length === 0 ? undefined : credentials;
    });
    return found ?? [];
  }

  async #readAll(ids: readonly string[]): Promise<Credential[]> {
    const Keys = ids.map((id) => ({ id: { S: id } }));
    const { Responses, UnprocessedKeys } = await callStore(() =>
      this.#client.send(
        new BatchGetItemCommand({ RequestItems: { [this.#tableName]: { Keys, ConsistentRead: true } } }),
      ),
    );
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw leftUnread();
    return (Responses?.[this.#tableName] ?? []).map(credentialOf);
  }
}

/** A stored item as a credential. */
export function credentialOf(item: Readonly<Record<string, AttributeValue>>): Credential {
  const [id, kind, owner] = [item.id?.S, item.kind?.S, item.owner?.S];
  if (id === undefined || kind === undefined || owner === undefined) {
    throw new Error("A stored credential lacks its id, kind or owner.");
  }
  return {
    id,
    kind: kind as CredentialKind,
    owner,
    scopes: (item.scopes?.S ?? "").split(" ").filter((scope) => scope !== ""),
    createdAt: Number(item.created_at?.N ?? 0),
    ...(item.public_key?.S === undefined ? {} : { publicKey: item.public_key.S }),
    ...(item.expires_at?.N === undefined ? {} : { expiresAt: Number(item.expires_at.N) }),
    ...(item.revoked_at?.N === undefined ? {} : { revokedAt: Number(item.revoked_at.N) }),
  };
}

/** A throttled batch succeeds with keys left over; taken for absent, they would be a revoked credential's way in. */
const leftUnread = (): Failure =>
  new Failure("temporarily_unavailable", "The store left keys unread.", {
    retryAfterMs: UNPROCESSED_RETRY_AFTER_MS,
  });
