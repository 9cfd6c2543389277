import { isDeepStrictEqual } from "node:util";
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Item } from "../dynamo/item.ts";
import { priced, provenWrite } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";
import type { Credential } from "./credential.ts";
import { type CredentialRow, listCredentials, readCredential } from "./list-credentials.ts";

/** Issues, lists and revokes credentials. It is for operators: no function of the API has the permission. */
export class CredentialRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Stores a credential, unless one with its id is there already, which stays as it is. An identical one counts as
   * stored, because the answer to an earlier attempt may have been lost.
   *
   * @returns false when another one is there.
   */
  async add(credential: Credential): Promise<boolean> {
    const item = itemOf(credential);
    const command = new PutItemCommand({
      TableName: this.#table.name,
      Item: item,
      ConditionExpression: "attribute_not_exists(#id)",
      ExpressionAttributeNames: { "#id": "id" },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      ...priced,
    });
    const done = await orExisting(() => this.#table.client.send(command));
    return done.answer !== undefined || isDeepStrictEqual(done.existing, item);
  }

  /**
   * Revokes the credential of a row for good, even of an unreadable row. The time of the first revocation stays.
   *
   * @returns the row as it was before; undefined when there is no row with this id.
   */
  async revoke(id: string, now: number): Promise<CredentialRow | undefined> {
    const command = new UpdateItemCommand({
      TableName: this.#table.name,
      Key: { id: { S: id } },
      UpdateExpression: "SET #revoked_at = if_not_exists(#revoked_at, :now)",
      ConditionExpression: "attribute_exists(#id)",
      ExpressionAttributeNames: { "#id": "id", "#revoked_at": "revoked_at" },
      ExpressionAttributeValues: { ":now": { N: String(now) } },
      ReturnValues: "ALL_OLD",
      ...priced,
    });
    const { answer } = await orExisting(() => this.#table.client.send(command));
    return answer && { id, credential: readCredential(answer.Attributes ?? {}) };
  }

  /** Removes a credential; a missing one is not an error. */
  async remove(id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#table.name, Key: { id: { S: id } }, ...priced });
    await provenWrite(() => this.#table.client.send(command));
  }

  /** Every row, in no order. An unreadable row does not keep back the others. */
  list(): AsyncGenerator<CredentialRow> {
    return listCredentials(this.#table);
  }
}

function itemOf(credential: Credential): Item {
  const instant = (value: number | undefined): AttributeValue | undefined =>
    value === undefined ? undefined : { N: String(value) };
  const item: Record<string, AttributeValue | undefined> = {
    id: { S: credential.id },
    kind: { S: credential.kind },
    owner: { S: credential.owner },
    scopes: { S: credential.scopes.join(" ") },
    public_key: credential.publicKey === undefined ? undefined : { S: credential.publicKey },
    created_at: instant(credential.createdAt),
    expires_at: instant(credential.expiresAt),
    revoked_at: instant(credential.revokedAt),
  };
  return Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, AttributeValue] => entry[1] !== undefined),
  );
}

/** The answer to a conditional write. Where its condition fails: the existing item, if the write asks for it. */
async function orExisting<Answer extends { readonly ConsumedCapacity?: unknown }>(
  write: () => Promise<Answer>,
): Promise<{ readonly answer?: Answer; readonly existing?: Item | undefined }> {
  try {
    return { answer: await provenWrite(write) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { existing: error.Item };
    throw error;
  }
}
