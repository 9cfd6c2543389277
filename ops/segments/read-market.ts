import type { TradeRegister } from "../../lib/trades/trade-register.ts";
import type { StoredSegment } from "../../lib/trades/trade-store.ts";
import type { Span } from "../../lib/trades/withdrawn-places.ts";
import { inThousands } from "../../local/records/tally.ts";
import { showProgress } from "../terminal/show-progress.ts";

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
