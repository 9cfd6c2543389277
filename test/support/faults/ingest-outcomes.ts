/** What becomes of a batch of messages, of which one has a record that can never be stored, while something is wrong. */
export interface IngestOutcome {
  /** What a table shows. */
  readonly cell: string;
  /** Which messages are received again: the good ones, the one with the bad record, all, or none. */
  readonly returned: "good" | "bad" | "all" | "none";
  /** The level of the lines about records that were returned; absent where there are none. */
  readonly level?: "WARN" | "ERROR";
}

export const ingestOutcomes = {
  stored: { cell: "stored", returned: "none" },
  returned: { cell: "returned", returned: "good", level: "WARN" },
  lasting: { cell: "returned, `ERROR`", returned: "good", level: "ERROR" },
  ended: { cell: "all returned", returned: "all" },
  rejected: { cell: "rejected", returned: "none" },
  unrejected: { cell: "returned", returned: "bad", level: "WARN" },
  refused: { cell: "returned, `ERROR`", returned: "bad", level: "ERROR" },
} as const satisfies Record<string, IngestOutcome>;

export type IngestOutcomeName = keyof typeof ingestOutcomes;
