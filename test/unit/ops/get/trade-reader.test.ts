import fc from "fast-check";
import { expect, test } from "vitest";
import type { Trade, TradeProgress, TradesOptions } from "../../../../client/src/index.ts";
import type { Connection } from "../../../../ops/get/connection.ts";
import type { TradesQuestion } from "../../../../ops/get/download-files.ts";
import { type Page, readerOf } from "../../../../ops/get/readers.ts";

const question: TradesQuestion = {
  get: "trades",
  symbol: "BTC-USD",
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-28T00:00:00.000Z",
};

/** A walk that has pages of these sizes, and then waits for tokens, fails, or ends. */
function connectionTo(sizes: readonly number[], end: "waits" | "fails" | "ends") {
  const trades = ({ onProgress, signal }: TradesOptions) => {
    const state = { trades: 0, pages: 0 };
    const progress = () =>
      ({ ...state, tokens: state.pages, waitedMs: 0, resume: { untilMs: -state.trades } }) as TradeProgress;
    async function* give() {
      for (const size of sizes) {
        for (let n = 0; n < size; n += 1) yield { tdt: 0, tid: String(state.trades++) } as Trade;
        state.pages += 1;
        onProgress?.(progress());
      }
      if (end === "fails") throw new Error("lost");
      if (end === "waits")
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    }
    return {
      [Symbol.asyncIterator]: give,
      get progress() {
        return progress();
      },
    };
  };
  return { client: { exchange: { trades } }, recorder: { calls: 0 } } as unknown as Connection;
}

const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const idsOf = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ records }) => records.map(({ id }) => id));

test("each page is given when it has ended, also while the walk waits, and an abort loses none", () =>
  fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const stop = new AbortController();
      const reader = readerOf(connectionTo(all, "waits"), question);
      const reading = reader.read({ position: undefined, limit: undefined, signal: stop.signal });
      const pages: Page[] = [];
      while (pages.length < all.length) {
        const { value } = await reading.next();
        if (value !== undefined) pages.push(value);
      }
      expect(pages.map(({ records }) => records.length)).toEqual(all);
      expect(pages.map(({ isLast }) => isLast)).toEqual(all.map(() => false));
      const next = reading.next();
      stop.abort(new Error("stopped"));
      await expect(next).rejects.toThrow("stopped");
    }),
  ));

test("a failure right after a page loses nothing of it", () =>
  fc.assert(
    fc.asyncProperty(sizes, async (all) => {
      const signal = new AbortController().signal;
      const reading = readerOf(connectionTo(all, "fails"), question);
      const pages: Page[] = [];
      const read = async (): Promise<void> => {
        for await (const page of reading.read({ position: undefined, limit: undefined, signal }))
          pages.push(page);
      };
      await expect(read()).rejects.toThrow("lost");
      expect(idsOf(pages)).toHaveLength(sum(all));
    }),
  ));

test("a limit ends the reading right after its last trade, with the position there", () =>
  fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 30 }), async (all, limit) => {
      const reader = readerOf(connectionTo(all, "ends"), question);
      const signal = new AbortController().signal;
      const pages: Page[] = [];
      for await (const page of reader.read({ position: undefined, limit, signal })) pages.push(page);
      const count = Math.min(limit, sum(all));
      expect(idsOf(pages)).toEqual(Array.from({ length: count }, (_, n) => String(n)));
      expect(pages.at(-1)).toMatchObject({ isLast: true, position: { untilMs: -count } });
      expect(pages.filter(({ isLast }) => isLast)).toHaveLength(1);
    }),
  ));
