/** What the values of a column are: text, exact decimals, or instants in Unix epoch milliseconds. */
export type ColumnKind = "text" | "amount" | "instant";

/** A column of a table that records become in CSV and Parquet. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** The values of a row in the order of the columns, as they were sent; undefined where a member is absent. */
export type Row = readonly (string | undefined)[];

/** A kind of records that is downloaded, and the table that they become. */
export interface Dataset {
  readonly columns: readonly Column[];
  /** The rows of a record: one, or one for each of its parts. @param line the record as a line of NDJSON. */
  readonly rowsOf: (line: string) => readonly Row[];
}

/** The place of a record among others: its instant as ISO 8601, and its id. */
interface Place {
  readonly instant: string;
  readonly id: string;
}

/** A record as the service sent it. */
export interface SentRecord extends Place {
  /** The record's JSON, on one line and without a line end. */
  readonly line: string;
}
