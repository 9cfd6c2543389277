import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { callStore } from "../dynamo/client.ts";
import { type Switch, switchId } from "./switch.ts";

/** Throws switches: the operator's side, which no function of the API is granted. */
export class SwitchRegister {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  /** Sets an endpoint's switch. The reason is for other operators; callers never see it. */
  async set(endpointName: string, position: Switch): Promise<void> {
    const id = { S: switchId(endpointName) };
    const TableName = this.#tableName;
    await callStore(async () => {
      if (position.on) await this.#client.send(new DeleteItemCommand({ TableName, Key: { id } }));
      else
        await this.#client.send(
          new PutItemCommand({ TableName, Item: { id, off_reason: { S: position.reason } } }),
        );
    });
  }
}
