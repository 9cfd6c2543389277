import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { type Attribution, attributesOf, attributionOf } from "../../lib/dynamo/attribution.ts";
import { priced, provenWrite } from "../../lib/dynamo/proven.ts";
import { readItem } from "../../lib/dynamo/read-item.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import { type Switch, switchId, switchOf } from "../../lib/switches/switch.ts";

/** A switch, and who set it when; without the latter if it was never set, or set by an earlier release. */
export interface SetSwitch {
  readonly position: Switch;
  readonly set?: Attribution;
}

/** Sets and reads kill switches. It is for operators: no function of the API has the permission. */
export class SwitchRegister {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Sets an endpoint's switch. The reason and the attribution are for other operators; callers never see them. */
  async put(endpointName: string, position: Switch, attribution?: Attribution): Promise<void> {
    const Item = {
      id: { S: switchId(endpointName) },
      ...(!position.on && { off_reason: { S: position.reason } }),
      ...attributesOf(attribution),
    };
    await provenWrite(() =>
      this.#table.client.send(new PutItemCommand({ TableName: this.#table.name, Item, ...priced })),
    );
  }

  /** An endpoint's switch as it stands now. */
  async read(endpointName: string): Promise<SetSwitch> {
    const item = await readItem(this.#table, { key: { id: switchId(endpointName) } });
    const set = attributionOf(item);
    return { position: switchOf(item), ...(set !== undefined && { set }) };
  }
}
