import type { Item } from "../dynamo/item.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import type { StoredPass } from "./pass.ts";

/** Reads passes: what the endpoint's function is granted, and no more. */
export class PassStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The pass with a reference, current or void, by a strongly consistent read; undefined when it was never published. */
  async get(partnerReference: string): Promise<StoredPass | undefined> {
    const key = { partner_reference: partnerReference };
    const item = await readItem(this.#table, { key });
    return item && passOf(item);
  }
}

/** A stored item as a pass. An item that is neither a pass nor a tombstone is a fault, never an absent pass. */
export function passOf(item: Item): StoredPass {
  if (item.gone_at?.N !== undefined) return { state: "void", goneAt: Number(item.gone_at.N) };
  const [text, version] = [item.doc?.S, item.version?.N];
  if (text === undefined || version === undefined) {
    throw new Error("A stored pass lacks its text or version, and is no tombstone.");
  }
  return {
    state: "current",
    text,
    version: Number(version),
    templateId: item.template_id?.S,
    corrections: item.corrections?.S,
  };
}
