/** Why something of an import was left as it is. */
export type LeftReason =
  | "changed since"
  | "another writer stored it too"
  | "has trades of others"
  | "no longer stored as it was added";

/** What taking an import back did, or would do. */
export class UndoTally {
  // By id, because a file may have several versions of a record, which are taken back one by one.
  readonly #takenBack = new Map<string, "removed" | "restored">();
  readonly #left = new Map<string, LeftReason>();

  /** Records and segments that were new and are gone. */
  get removed(): number {
    return this.#count("removed");
  }

  /** Records that have their earlier version again. */
  get restored(): number {
    return this.#count("restored");
  }

  /** Records and segments that are no longer as the import left them. */
  get takenBack(): number {
    return this.#takenBack.size;
  }

  /** What was not taken back: the id of a record, the key of a segment, or the symbol of a market. */
  get left(): readonly { readonly id: string; readonly reason: LeftReason }[] {
    return Array.from(this.#left, ([id, reason]) => ({ id, reason }));
  }

  takeBack(id: string, how: "removed" | "restored"): void {
    this.#takenBack.set(id, how);
  }

  leave(id: string, reason: LeftReason): void {
    this.#left.set(id, reason);
  }

  #count(wanted: "removed" | "restored"): number {
    return [...this.#takenBack.values()].filter((how) => how === wanted).length;
  }
}

/** How to take an import back: whether only to look, and when to stop. */
export interface UndoMode {
  readonly isRehearsal: boolean;
  readonly stop: AbortSignal;
  readonly tally: UndoTally;
}
