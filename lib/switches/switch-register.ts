import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { priced, provenWrite } from "../dynamo/proven.ts";
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
    const table = { TableName: this.#tableName, ...priced };
    if (position.on) {
      await provenWrite(() => this.#client.send(new DeleteItemCommand({ ...table, Key: { id } })));
    } else {
      const Item = { id, off_reason: { S: position.reason } };
      await provenWrite(() => this.#client.send(new PutItemCommand({ ...table, Item })));
    }
  }
}
