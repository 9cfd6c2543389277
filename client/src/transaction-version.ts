import { type TransactionState, transactionRanks } from "./contract.ts";
import { CountinghouseError } from "./error.ts";

/** The members of a record by which its versions are told apart. */
export interface Versioned {
  readonly id: string;
  readonly state: string;
  readonly updated_at: string;
}

const MICROS_LENGTH = 18;
/** A state that is not known may be anywhere on the way. It sorts after every rank. */
const UNKNOWN = "?";
/** The states that a transaction soon leaves. */
export const openStates = (Object.keys(transactionRanks) as TransactionState[]).filter(
  (state) => transactionRanks[state] < transactionRanks.completed,
);

/** The version of a record: it sorts as the service orders versions, by the instant to the microsecond and then by state. */
export function versionOf({ state, updated_at: instant }: Versioned): string {
  const [, fraction = ""] = /\.(\d+)/.exec(instant) ?? [];
  const seconds = Date.parse(instant.replace(/\.\d+/, "")) / 1000;
  if (Number.isNaN(seconds))
    throw new CountinghouseError(`updated_at: ${JSON.stringify(instant)} is not an instant.`, {
      code: "unexpected_answer",
    });
  const micros = seconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
  return `${String(micros).padStart(MICROS_LENGTH, "0")}#${rankOf(state)}`;
}

/** The instant of a version, in microseconds since 1970. */
export const microsOf = (version: string): number => Number(version.slice(0, MICROS_LENGTH));

function rankOf(state: string): string {
  const ranks: Readonly<Record<string, number>> = transactionRanks;
  return Object.hasOwn(ranks, state) ? String(ranks[state]) : UNKNOWN;
}

/** Whether a version is of a record that moves soon: what is completed hardly ever does. */
export const isOpen = (version: string): boolean => !(Number(version.at(-1)) >= transactionRanks.completed);

/** A record that changed, and its version. */
export interface Change<Item> {
  readonly version: string;
  readonly item: Item;
}

/** The most changes that are held. */
export const CHANGES_MAX = 10_000;

/** Drops the newest changes where there are more than are held. @returns whether any was dropped. */
export function dropNewest<Item extends Versioned>(found: Map<string, Change<Item>>): boolean {
  if (found.size <= CHANGES_MAX) return false;
  for (const { item } of inOrder(found).slice(CHANGES_MAX)) found.delete(item.id);
  return true;
}

/** Changes in the order in which they happened. */
export const inOrder = <Item>(found: ReadonlyMap<string, Change<Item>>): Change<Item>[] =>
  [...found.values()].sort((one, other) => (one.version < other.version ? -1 : 1));
