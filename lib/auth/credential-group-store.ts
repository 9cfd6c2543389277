import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../clock.ts";
import { callStore } from "../dynamo/client.ts";
import { priced, unproven } from "../dynamo/proven.ts";
import { ReadCache } from "../dynamo/read-cache.ts";
import type { Table } from "../dynamo/table.ts";
import { unavailable } from "../errors.ts";
import { ownMember } from "../own-member.ts";
import type { Credential } from "./credential.ts";
import { credentialOf } from "./credential-store.ts";

/**
 * Looks up credentials where one thing may be registered several times, as a certificate is under its names. Strongly
 * consistent, and remembered for five seconds like a single credential.
 */
export class CredentialGroupStore {
  readonly #table: Table;
  readonly #cache: ReadCache<readonly Credential[]>;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#cache = new ReadCache(clock);
  }

  /**
   * Every credential among these ids, of which there are 1 to 100, by one read. The result is remembered as a whole, so
   * that a registration or a revocation of one of them takes effect as soon as that of another.
   */
  async getAll(ids: readonly string[]): Promise<readonly Credential[]> {
    const found = await this.#cache.get(ids.join(" "), async () => {
      const credentials = await this.#readAll(ids);
      return credentials.length === 0 ? undefined : credentials;
    });
    return found ?? [];
  }

  async #readAll(ids: readonly string[]): Promise<Credential[]> {
    const Keys = ids.map((id) => ({ id: { S: id } }));
    const command = new BatchGetItemCommand({
      RequestItems: { [this.#table.name]: { Keys, ConsistentRead: true } },
      ...priced,
    });
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await callStore((options) =>
      this.#table.client.send(command, options),
    );
    if (Responses === undefined && ConsumedCapacity === undefined) throw unproven();
    // A throttled batch succeeds with keys left over. If those counted as absent, a revoked credential could get in.
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw unavailable("The store left keys unread.");
    return (ownMember(Responses, this.#table.name) ?? []).map(credentialOf);
  }
}
