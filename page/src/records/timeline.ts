import type { RecordState } from "../../../local/page/page-questions.ts";

/** A state of a record in its timeline. */
export interface TimelineEntry {
  readonly state: string;
  /**
   * `unproven` is on the usual way to the present one. Of the states that it can reach, `next` is the usual one, `later`
   * follows it, and `instead` leaves their line.
   */
  readonly place: "passed" | "unproven" | "present" | "next" | "later" | "instead";
  /** Since when, as the record has it; absent where the record does not say. */
  readonly at?: string;
}

/** The members of a record that tell when it reached a state. */
export interface DatedMembers {
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly completed_at?: string;
  readonly transaction_hash?: string;
}

/** The states on the usual way of a record, from the one that it begins in. */
const LINES: Readonly<Record<RecordState["kind"], readonly string[]>> = {
  "sell order": ["AWAITING_DEPOSIT", "DEPOSIT_SEEN", "PROCESSING", "COMPLETED"],
  transaction: ["created", "pending", "completed"],
  pass: [],
};

/** The states of a record in order, by what it says itself: the way to the present one, that one, and the next. */
export function timelineOf(
  { kind, state, next }: RecordState,
  members: DatedMembers,
): readonly TimelineEntry[] {
  const line = LINES[kind];
  const proven = new Map(provenBy(kind, members));
  const passed = line.includes(state)
    ? line.indexOf(state)
    : line.findLastIndex((name) => proven.has(name)) + 1;
  // A record that has left its line goes on by the first state that it can reach.
  const isNext = (name: string, at: number): boolean =>
    at === 0 && (line.includes(name) || !line.includes(state));
  return [
    ...line
      .slice(0, passed)
      .map((name) => entryOf(name, proven.has(name) ? "passed" : "unproven", proven.get(name))),
    entryOf(state, "present", members.updated_at),
    ...next.map((name, at) =>
      entryOf(name, isNext(name, at) ? "next" : line.includes(name) ? "later" : "instead"),
    ),
  ];
}

/** The states that the record's own members prove. A sell order does not say when its deposit was seen. */
function provenBy(
  kind: RecordState["kind"],
  { created_at: createdAt, completed_at: completedAt, transaction_hash: hash }: DatedMembers,
): readonly (readonly [string, string | undefined])[] {
  const [first] = LINES[kind];
  return [
    ...(first === undefined ? [] : [[first, createdAt] as const]),
    ...(kind === "sell order" && hash !== undefined ? [["DEPOSIT_SEEN", undefined] as const] : []),
    ...(kind === "transaction" && completedAt !== undefined ? [["completed", completedAt] as const] : []),
  ];
}

const entryOf = (state: string, place: TimelineEntry["place"], at?: string): TimelineEntry => ({
  state,
  place,
  ...(at !== undefined && { at }),
});
