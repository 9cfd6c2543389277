import { randomFillSync } from "node:crypto";
import type { Trade } from "../../lib/trades/trade.ts";

/** Trades that are generated at a time. */
const CHUNK = 6_000;
/** One every 33 ms: thirty a second. */
const STEP_MS = 33;
const ID_BYTES = 16;

/** Yields `count` trades of a busy market in chunks, the newest first, with random ids and amounts. */
export function* generatedTrades(count: number, lastMs: number): Generator<Trade[]> {
  const ids = Buffer.alloc(CHUNK * ID_BYTES);
  for (let done = 0; done < count; done += CHUNK) {
    const hex = randomFillSync(ids).toString("hex");
    yield Array.from({ length: Math.min(CHUNK, count - done) }, (_, at) => {
      const tradedAt = lastMs - (done + at) * STEP_MS;
      const noise = ids.readUInt32LE(at * ID_BYTES);
      return {
        tradedAt,
        publishedAt: tradedAt,
        price: `${64_000 + (noise % 1_000)}.${10 + (noise % 90)}`,
        quantity: `0.${10_000_000 + (noise % 90_000_000)}`,
        id: hex.slice(2 * ID_BYTES * at, 2 * ID_BYTES * (at + 1)),
        side: noise % 2 === 0 ? "buy" : "sell",
      };
    });
  }
}
