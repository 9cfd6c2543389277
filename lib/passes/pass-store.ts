import type { Item } from "../dynamo/item.ts";
import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";
import { LoggableError } from "../errors.ts";
import type { StoredPass } from "./pass.ts";

/** Reads passes. The endpoint's function has no other permission on their table. */
export class PassStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The pass with a reference, current or void, by a strongly consistent read; undefined if it was never published. */
  async get(partnerReference: string): Promise<StoredPass | undefined> {
    const key = { partner_reference: partnerReference };
    const item = await readItem(this.#table, { key });
    return item && passOf(item);
  }
}

/** A stored item as a pass. An item that is neither a pass nor a tombstone throws, and never counts as absent. */
export function passOf(item: Item): StoredPass {
  if (item.gone_at?.N !== undefined) return { state: "void", goneAt: Number(item.gone_at.N) };
  const [text, version] = [item.doc?.S, item.version?.N];
  if (text === undefined || version === undefined) {
    throw new LoggableError("A stored pass lacks its text or version, and is not a tombstone.");
  }
  return {
    state: "current",
    text,
    version: Number(version),
    templateId: item.template_id?.S,
    corrections: item.corrections?.S,
  };
}
