import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { isStoredOwner } from "../id.ts";
import { normaliseOrderId } from "./order-id.ts";

/** Reads sell orders of all partners. For a partner, an order of another one does not exist. */
export class SellOrderStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * The text of a partner's order by its id in any letter case, as of every write that has been answered; undefined for
   * an unknown one.
   *
   * @throws {Failure} when the store does not answer.
   */
  async get(partnerId: string, orderId: string): Promise<string | undefined> {
    const key = normaliseOrderId(orderId);
    if (key === undefined || !isStoredOwner(partnerId)) return undefined;
    const question = { key: { partner_id: partnerId, order_id: key }, attribute: "doc" };
    const item = await readItem(this.#table, question);
    return item?.doc?.S;
  }
}
