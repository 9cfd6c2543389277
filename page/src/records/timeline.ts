import type { RecordState } from "../../../local/page/page-questions.ts";

/** A state that a record was seen in, and since when, as ISO 8601. */
export interface SeenState {
  readonly state: string;
  readonly at: string;
}

/** A state of a record in its timeline. */
export interface TimelineEntry {
  readonly state: string;
  /** Of the states that it can reach, `next` is the usual one, `later` follows it, and `instead` leaves their line. */
  readonly place: "passed" | "present" | "next" | "later" | "instead";
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

/** The states of a record in order: those that it has passed for certain, as `seen` before, the present, and the next. */
export function timelineOf(
  { kind, state, next }: RecordState,
  members: DatedMembers,
  seen: readonly SeenState[],
): readonly TimelineEntry[] {
  const proven = provenBy(kind, members);
  // The record's own instants are better than those of the page.
  const dated = proven.filter(([, at]) => at !== undefined);
  const passed = new Map<string, string | undefined>([...proven, ...seen.map(pairOf), ...dated]);
  passed.delete(state);
  const begin = members.created_at ?? "";
  const line = LINES[kind];
  // A record that has left its line goes on by the first state that it can reach.
  const isNext = (name: string, at: number): boolean =>
    at === 0 && (line.includes(name) || !line.includes(state));
  const ordered = [...passed].sort(
    ([, one = begin], [, other = begin]) => Date.parse(one) - Date.parse(other),
  );
  return [
    ...ordered.map(([name, at]) => entryOf(name, "passed", at)),
    entryOf(state, "present", members.updated_at),
    ...next.map((name, at) =>
      entryOf(name, isNext(name, at) ? "next" : line.includes(name) ? "later" : "instead"),
    ),
  ];
}

const pairOf = ({ state, at }: SeenState): readonly [string, string] => [state, at];

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
