import type { Brand } from "../../lib/brand.ts";
import type { Table } from "../../lib/dynamo/table.ts";
import type { TableName } from "../../lib/dynamo/tables.ts";

/** An open store, local or deployed, for a command to work on. */
export interface OperatorStore {
  /** A table of this store. */
  readonly table: (name: TableName) => Table;
  /** The brand that the stage's documents are written in. */
  readonly brand: Brand;
  /** The store's name in messages. */
  readonly name: string;
  /** The option that names it in a command to paste, after a space; empty or absent for the default store. */
  readonly option?: string;
  /** Where AWS has the tables, reached with the operator's own credentials; absent for a store that is not AWS's. */
  readonly aws?: { readonly region: string | undefined };
  /** The data directory that this process holds: no service runs there now. Absent for any other store. */
  readonly heldData?: string;
  /** Removes from the files of a data directory what was deleted or replaced; absent for any other store. */
  readonly dropDeletedBytes?: () => Promise<void>;
  readonly close: () => Promise<void>;
}
