import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { priced, provenWrite } from "../dynamo/proven.ts";
import type { Table } from "../dynamo/table.ts";
import { type Switch, switchId } from "./switch.ts";

/** Sets kill switches. It is for operators: no function of the API has the permission. */
export class SwitchRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Sets an endpoint's switch. The reason is for other operators; callers never see it. */
  async put(endpointName: string, position: Switch): Promise<void> {
    const id = { S: switchId(endpointName) };
    const table = { TableName: this.#table.name, ...priced };
    if (position.on) {
      await provenWrite(() => this.#table.client.send(new DeleteItemCommand({ ...table, Key: { id } })));
    } else {
      const Item = { id, off_reason: { S: position.reason } };
      await provenWrite(() => this.#table.client.send(new PutItemCommand({ ...table, Item })));
    }
  }
}
