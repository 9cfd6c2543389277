/** The members that name the record, in documents of any kind. */
const ID_MEMBERS = ["id", "partner_reference"] as const;

/** The possible ids of a line's record, in lower case; none when the line is not a JSON object with an id. */
export function recordIdsOf(text: string): readonly string[] {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== "object" || record === null) return [];
    const ids = ID_MEMBERS.map((member) => (record as Readonly<Record<string, unknown>>)[member]);
    // Both count: one may be a member that the contract does not have and that `--drop-unknown` leaves out.
    return ids.filter((id) => typeof id === "string").map((id) => id.toLowerCase());
  } catch {
    return [];
  }
}

/**
 * Runs many tasks at once, but tasks of one record one after the other, in the order they were handed over, so that two
 * lines about a record never race. When a task fails, all later tasks of its record fail with its error. A version that
 * could not be written is then written before its successors by the next import, and a file gives the same result
 * whenever it is imported.
 */
export class RecordOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param ids the task waits for earlier tasks that share one of these. */
  async run<Result>(ids: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(ids.map((id) => this.#last.get(id) ?? Promise.resolve()));
    const mine = before.then(task);
    for (const id of ids) this.#last.set(id, mine);
    const result = await mine;
    for (const id of ids) if (this.#last.get(id) === mine) this.#last.delete(id);
    return result;
  }
}
