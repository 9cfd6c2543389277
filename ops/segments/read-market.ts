import { systemClock } from "../../lib/clock.ts";
import { epochMsOf } from "../../lib/instant.ts";
import { MarketStore } from "../../lib/markets/market-store.ts";
import { TradeRegister } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";
import { OperatorError } from "../../local/process/operator-error.ts";
import { inThousands } from "../../local/records/tally.ts";
import { type GivenOf, takes } from "../command.ts";
import { momentTake, parseMoment } from "../get/moment.ts";
import type { OperatorStore } from "../store/operator-store.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { MINUTE_MS, minuteOf } from "./compact.ts";

/** Hours begin where buckets begin. */
const HOUR_MS = 3_600_000;
const PROGRESS_SEGMENTS = 1_000;

/**
 * The segments of a market, apart ones included, those of one stretch after each other. Shows on a terminal how many
 * were read.
 *
 * @param span only those that end in it, found by queries; without one, the whole table is read.
 */
export async function* readMarket(
  register: TradeRegister,
  symbol: string,
  span: Span | undefined,
): AsyncGenerator<StoredSegment> {
  let count = 0;
  try {
    for await (const segment of span === undefined
      ? register.list(symbol)
      : readSpan(register, symbol, span)) {
      if (count % PROGRESS_SEGMENTS === 0) showProgress(`Reading segments: ${inThousands(count)} …`);
      count += 1;
      yield segment;
    }
  } finally {
    showProgress("");
  }
}

async function* readSpan(
  register: TradeRegister,
  symbol: string,
  { fromMs, toMs }: Span,
): AsyncGenerator<StoredSegment> {
  for (let hour = Math.floor(fromMs / HOUR_MS); hour * HOUR_MS <= toMs; hour += 1) {
    const within = {
      fromMs: Math.max(fromMs, hour * HOUR_MS),
      toMs: Math.min(toMs, (hour + 1) * HOUR_MS - 1),
    };
    yield* await register.segmentsWithin(symbol, within);
    yield* await register.withdrawals(symbol, within);
  }
}

/** The register that holds a market's trades. @throws {OperatorError} when the market is not listed. */
export async function requireMarketTrades({ table }: OperatorStore, symbol: string): Promise<TradeRegister> {
  const markets = new MarketStore(table("Settings"), systemClock);
  if ((await markets.get(symbol)) !== undefined) return new TradeRegister(table("Trades"));
  throw new OperatorError(`No market ${symbol} is listed. \`markets list\` shows the markets.`);
}

/** What limits a command to a time of a market. */
export const spanTakes = takes({
  "--from <instant>": momentTake(
    "the oldest instant: an ISO date, epoch ms, or how long ago, such as 7d",
    systemClock,
  ),
  "--to <instant>": momentTake("with --from: the newest instant (default: now)", systemClock),
});

const msOf = (text: string, now: number): number => epochMsOf(parseMoment(text, now));

/** The span that the options name, in whole minutes (epoch ms), so that no stretch is cut; undefined for everything. */
export function spanOf({ from, to }: GivenOf<typeof spanTakes>): Span | undefined {
  const now = systemClock();
  if (from === undefined) {
    if (to === undefined) return undefined;
    throw new OperatorError("--to goes with --from.");
  }
  const [fromMs, toMs] = [msOf(from, now), to === undefined ? now : msOf(to, now)];
  if (fromMs > toMs) throw new OperatorError("--from must not be later than --to.");
  return { fromMs: minuteOf(fromMs) * MINUTE_MS, toMs: (minuteOf(toMs) + 1) * MINUTE_MS - 1 };
}
