import type { Trade } from "./contract.ts";

/** A place in a walk through a market's trades, newest first: everything up to `untilMs` is left but the trades `given`. */
export interface Position {
  /** The newest instant that is not finished, Unix epoch milliseconds. */
  readonly untilMs: number;
  /** Ids of the trades of that instant that were given already. */
  readonly given: readonly string[];
}

/** From where a walk goes on: plain data, to be kept as JSON. */
export interface TradeResume extends Position {
  readonly symbol: string;
  /** The oldest instant of the walk, included, Unix epoch milliseconds. */
  readonly fromMs: number;
}

/**
 * The position after some trades were given from another position.
 *
 * @param trades newest first; none of them is later than `untilMs`.
 */
export function positionAfter(position: Position, trades: readonly Trade[]): Position {
  const last = trades.at(-1);
  if (last === undefined) return position;
  const { untilMs, given } = position;
  const firstOfInstant = trades.findLastIndex(({ tdt }) => tdt !== last.tdt) + 1;
  const ids = trades.slice(firstOfInstant).map(({ tid }) => tid);
  return { untilMs: last.tdt, given: last.tdt === untilMs ? [...given, ...ids] : ids };
}

/** The trades of a page that were not given before the position was reached. */
export function newTrades({ untilMs, given }: Position, trades: readonly Trade[]): readonly Trade[] {
  if (given.length === 0) return trades;
  const known = new Set(given);
  return trades.filter(({ tdt, tid }) => tdt !== untilMs || !known.has(tid));
}
