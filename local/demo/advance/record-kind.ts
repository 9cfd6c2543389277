import type { Brand } from "../../../lib/brand.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Table } from "../../../lib/dynamo/table.ts";
import type { TableName } from "../../../lib/dynamo/tables.ts";
import type { WriteOutcome } from "../../../lib/write-outcome.ts";
import type { DemoFile } from "../demo-file.ts";

/** The members of a record, with numbers that keep their digits. */
export type Members = Readonly<Record<string, unknown>>;

/** A stored record. */
export interface StoredRecord {
  /** The business or the partner; undefined for a pass, which has no owner. */
  readonly ownerId: string | undefined;
  readonly members: Members;
}

/** What is known when a record is changed. */
interface Change {
  readonly brand: Brand;
  /** The instant of the change, as documents write it. */
  readonly at: string;
}

/** The store that has the records. */
export interface RecordStore {
  readonly table: (name: TableName) => Table;
  /** The brand that the documents are written in. */
  readonly brand: Brand;
  /** The store's name in messages. */
  readonly name: string;
}

/** A kind of record that proceeds from state to state. A state is named by a word that a person gives. */
export interface RecordKind {
  /** The kind as sentences name it. */
  readonly noun: string;
  /** The records with an id, of any owner. */
  readonly find: (store: RecordStore, id: string) => Promise<readonly StoredRecord[]>;
  /** The word for the state that a record is in. */
  readonly stateOf: (members: Members) => string;
  /** The states that a record can proceed to; the first is the next one. Empty for a final state. */
  readonly reaches: (members: Members, brand: Brand) => readonly string[];
  /** The record as it is in one of these states. */
  readonly changed: (members: Members, state: string, change: Change) => Members;
  /** Stores a change by the domain's own writer. */
  readonly put: (
    store: RecordStore,
    record: StoredRecord,
    state: string,
    clock: Clock,
  ) => Promise<WriteOutcome>;
  /** A curl line that shows a record, with a credential of the demo if the demo has one for its owner. */
  readonly curlLine: (demo: DemoFile, record: StoredRecord) => string;
}
