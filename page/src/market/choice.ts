const HOUR_MS = 3_600_000;

/** Which trades a visitor wants to see. */
export interface Choice {
  readonly symbol: string;
  readonly hours: number;
  /** The end of the time, as it was typed; empty for now. */
  readonly until: string;
}

/** How far back trades are read. The demo has those of 60 days. */
export const SPANS: readonly (readonly [hours: number, title: string])[] = [
  [1, "1 hour"],
  [24, "1 day"],
  [3 * 24, "3 days"],
  [7 * 24, "7 days"],
  [30 * 24, "30 days"],
  [60 * 24, "60 days"],
];

/** The first look costs a few tokens, and fills the chart with hours. */
export const firstChoice = (symbol: string): Choice => ({ symbol, hours: 3 * 24, until: "" });

export const spanMs = ({ hours }: Choice): number => hours * HOUR_MS;

/** The query that asks for a choice: what differs from the first one. */
export function askingFor({ symbol, hours, until }: Choice, first: Choice): string {
  const asked = new URLSearchParams();
  if (symbol !== first.symbol) asked.set("market", symbol);
  if (hours !== first.hours) asked.set("hours", String(hours));
  if (until !== first.until) asked.set("until", until);
  return asked.toString();
}

/** The choice that an address asks for. What it does not name, and an unknown length, are the first one's. */
export function askedChoice(query: string, first: Choice): Choice {
  const asked = new URLSearchParams(query);
  const hours = Number(asked.get("hours"));
  return {
    symbol: asked.get("market") ?? first.symbol,
    hours: SPANS.some(([known]) => known === hours) ? hours : first.hours,
    until: asked.get("until") ?? first.until,
  };
}
