/** Why something of an import was left as it is. */
export type LeftReason =
  | "changed since"
  | "another writer stored it too"
  | "has trades of others"
  | "no longer stored as it was added";

/** Something that an import stored and that was not taken back. */
export interface Left {
  /** The record's id, the segment's key, or the market's symbol. */
  readonly id: string;
  readonly reason: LeftReason;
}

/** What taking an import back did, or would do. */
export class UndoTally {
  // By id, because a file may have several versions of a record, which are taken back one by one.
  readonly #takenBack = new Map<string, "removed" | "restored">();
  readonly #left = new Map<string, Left>();

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

  get left(): readonly Left[] {
    return [...this.#left.values()];
  }

  takeBack(id: string, how: "removed" | "restored"): void {
    this.#takenBack.set(id, how);
  }

  leave(id: string, reason: LeftReason): void {
    this.#left.set(id, { id, reason });
  }

  #count(wanted: "removed" | "restored"): number {
    let count = 0;
    for (const how of this.#takenBack.values()) if (how === wanted) count += 1;
    return count;
  }
}

/** How to take an import back: whether only to look, and when to stop. */
export interface UndoMode {
  readonly isRehearsal: boolean;
  readonly stop: AbortSignal;
  readonly tally: UndoTally;
}
