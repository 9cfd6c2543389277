/** What names the record in documents of the several kinds. */
const ID_MEMBERS = ["id", "partner_reference"] as const;

/** What may be the id of the record that a line holds, in lower case; nothing when the line is no object with one. */
export function recordIdsOf(text: string): readonly string[] {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== "object" || record === null) return [];
    const ids = ID_MEMBERS.map((member) => (record as Readonly<Record<string, unknown>>)[member]);
    // One of them may be a member that the contract does not have, and that is dropped.
    return ids.filter((id) => typeof id === "string").map((id) => id.toLowerCase());
  } catch {
    return [];
  }
}

/**
 * Runs many tasks at once, but those of one record one after the other in the order they were handed over: two lines
 * about the same record never race. A task that fails holds back all that come after it, which fail as it did: what an
 * import had to give up comes before its successors in the next one too. So a file says the same every time it is imported.
 */
export class RecordOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param ids tasks that share one of these wait for each other. */
  async run<Result>(ids: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const before = Promise.all(ids.map((id) => this.#last.get(id) ?? Promise.resolve()));
    const mine = before.then(task);
    for (const id of ids) this.#last.set(id, mine);
    const result = await mine;
    for (const id of ids) if (this.#last.get(id) === mine) this.#last.delete(id);
    return result;
  }
}
