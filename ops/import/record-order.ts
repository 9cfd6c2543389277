/** What names the record in documents of the several kinds. */
const ID_MEMBERS = ["id", "partner_reference"] as const;

/** The id of the record that a line holds, in lower case; none when the line is no object with an id. */
export function recordIdOf(text: string): string | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record !== "object" || record === null) return undefined;
    const ids = ID_MEMBERS.map((member) => (record as Readonly<Record<string, unknown>>)[member]);
    return ids.find((id) => typeof id === "string")?.toLowerCase();
  } catch {
    return undefined;
  }
}

/**
 * Runs many tasks at once, but those of one record one after the other in the order they were handed over: two lines
 * about the same record never race. A task that fails holds back all that come after it, which fail as it did: what an
 * import had to give up comes before its successors in the next one too. So a file says the same every time it is imported.
 */
export class RecordOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(recordId: string | undefined, task: () => Promise<Result>): Promise<Result> {
    if (recordId === undefined) return await task();
    const before = this.#last.get(recordId) ?? Promise.resolve();
    const mine = before.then(task);
    this.#last.set(recordId, mine);
    const result = await mine;
    if (this.#last.get(recordId) === mine) this.#last.delete(recordId);
    return result;
  }
}
