import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import type { Credential } from "./credential.ts";
import { credentialOf } from "./credential-store.ts";

/** Issues, lists and revokes credentials: the operator's side, which no function of the API is granted. */
export class CredentialRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** Stores a credential. @returns false when one with its id is there already, which then stays as it is. */
  add(credential: Credential): Promise<boolean> {
    return unlessConditionFails(() =>
      this.#client.send(
        new PutItemCommand({
          TableName: this.#tableName,
          Item: itemOf(credential),
          ConditionExpression: "attribute_not_exists(#id)",
          ExpressionAttributeNames: { "#id": "id" },
        }),
      ),
    );
  }

  /** Revokes a credential for good, keeping the first revocation's time. @returns false when there is none with this id. */
  revoke(id: string, now: number): Promise<boolean> {
    return unlessConditionFails(() =>
      this.#client.send(
        new UpdateItemCommand({
          TableName: this.#tableName,
          Key: { id: { S: id } },
          UpdateExpression: "SET #revoked_at = if_not_exists(#revoked_at, :now)",
          ConditionExpression: "attribute_exists(#id)",
          ExpressionAttributeNames: { "#id": "id", "#revoked_at": "revoked_at" },
          ExpressionAttributeValues: { ":now": { N: String(now) } },
        }),
      ),
    );
  }

  /** Removes a credential; what is not there is no error. */
  async remove(id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#tableName, Key: { id: { S: id } } });
    await callStore(() => this.#client.send(command));
  }

  /** Every credential there is, in no order. */
  async *list(): AsyncGenerator<Credential> {
    const pages = paginateScan(
      { client: this.#client },
      { TableName: this.#tableName, ConsistentRead: true },
    );
    for await (const page of pages) {
      for (const item of page.Items ?? []) yield credentialOf(item);
    }
  }
}

function itemOf(credential: Credential): Record<string, AttributeValue> {
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

async function unlessConditionFails(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await callStore(call);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
