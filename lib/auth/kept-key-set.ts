import { readItem } from "../dynamo/read-item.ts";
import type { Table } from "../dynamo/table.ts";

/** Key, among the settings, of the set that an issuer publishes at an address. */
export const keptKeySetId = (url: URL): string => `key-set#${url.href}`;

/** An issuer's key set as it was fetched last, by the function that keeps it. */
export interface KeptKeySet {
  readonly text: string;
  /** Epoch milliseconds before the fetch, by the clock of the function that fetched. */
  readonly fetchedAt: number;
}

/** Reads the sets that are kept among the settings. */
export class KeptKeySetStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * The set that was fetched last from an address, by a strongly consistent read; undefined when there is none, or when
   * its row lacks a member or is of another address.
   */
  async get(url: URL): Promise<KeptKeySet | undefined> {
    const id = keptKeySetId(url);
    const item = await readItem(this.#table, { key: { id } });
    const [text, fetchedAt] = [item?.key_set?.S, Number(item?.fetched_at?.N)];
    if (item?.id?.S !== id || text === undefined || !Number.isSafeInteger(fetchedAt)) return undefined;
    return { text, fetchedAt };
  }
}
