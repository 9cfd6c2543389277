import type { Checked } from "../checked.ts";
import type { CorrectionOrder } from "../corrections.ts";
import { correctionOf, type Intake } from "../intake.ts";
import { refused, type WriteOutcome } from "../write-outcome.ts";
import { hasItems } from "./has-items.ts";
import type { RecordVersion, VersionedRecord } from "./resolve-version.ts";
import type { Table } from "./table.ts";
import { putVersioned } from "./versioned-put.ts";

/** How the records of a kind are stored. */
export interface RecordStorage<Record> {
  /** The names of its key's attributes; the partition's comes first, and holds the record's owner. */
  readonly key: VersionedRecord["key"];
  readonly versionOf: (record: Record) => RecordVersion;
}

/** Takes in versions of one kind of record. It is for operators: no function of the API has the permission. */
export class RecordRegister<Record> {
  readonly #table: Table;
  readonly #storage: RecordStorage<Record>;
  readonly #put: typeof putVersioned;

  /** @param put stores a version, or rehearses it. */
  constructor(table: Table, storage: RecordStorage<Record>, put: typeof putVersioned = putVersioned) {
    this.#table = table;
    this.#storage = storage;
    this.#put = put;
  }

  /** Whether any record of an owner is stored. */
  hasAny(owner: string): Promise<boolean> {
    return hasItems(this.#table, { name: this.#storage.key[0], value: owner });
  }

  /**
   * Stores a version of a record unless the stored one is as new. Any order of arrival leads to the same item. A
   * correction replaces a newer version too, and leaves its trace.
   *
   * @throws {Failure} when the store does not answer.
   */
  put(record: Record, correction?: CorrectionOrder): Promise<WriteOutcome> {
    const { key, versionOf } = this.#storage;
    return this.#put(this.#table, { key, ...versionOf(record) }, correction);
  }
}

/**
 * Takes in a record that was checked. One that did not pass its check is refused, and nothing is stored.
 *
 * @throws {Failure} when the store does not answer.
 */
export const putRecord = async <Record>(
  register: Pick<RecordRegister<Record>, "put">,
  checked: Checked<Record>,
  intake: Intake = {},
): Promise<WriteOutcome> =>
  checked.ok ? await register.put(checked.value, correctionOf(intake)) : refused(checked.reason);
