import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../../../../bench/support/busy-trades.ts";
import { Countinghouse, type Trade } from "../../../../client/src/index.ts";
import { TradeReading } from "../../../../page/src/market/trade-reading.ts";
import { type Wait, watchedPlatform } from "../../../../page/src/market/watched-platform.ts";
import { cases } from "../../../support/cases.ts";
import { FAULTS, type Fault, ModelExchange } from "../../../support/model-exchange.ts";
import { errorBody, type Scripted, scriptServer } from "../../../support/scripted-fetch.ts";
import { DAY_MS, NOW, servedAt } from "../../../support/trades.ts";

const tradeAt = (tdt: number, n: number): Trade => servedAt(tdt, idOf(n));
const KEY = { apiKey: "A".repeat(64), sign: () => new Uint8Array(64) };

/** Trades of some days, newest first, with several in one instant. */
const tradesOf = (count: number): readonly Trade[] =>
  Array.from({ length: count }, (_, n) => tradeAt(NOW - Math.floor(n / 3) * 7_000_000, count - n));

function begin(trades: readonly Trade[], faults: readonly Fault[] = [], now = NOW) {
  const model = new ModelExchange({ trades, faults }, now);
  const retry = { attemptsMax: 20, totalMs: 10 ** 9 };
  const { exchange } = new Countinghouse({
    baseUrl: "https://api.test",
    exchange: KEY,
    retry,
    ...model.platform,
  });
  const limited = { trades: (options: object) => exchange.trades({ ...options, limit: 7 }) };
  const reading = new TradeReading(limited);
  const asked = { symbol: "A-B", fromMs: NOW - 10 * DAY_MS, toMs: NOW };
  return { reading, asked, model, exchange: limited };
}

const pageOf = (data: readonly Trade[], next_cursor?: string) => ({
  body: { data, metadata: { timestamp: NOW, next_cursor } },
});
const refusal = { status: 401, body: errorBody("invalid_credentials") };

/** A reading from a server that gives these answers one after the other. */
function scripted(...answers: readonly Scripted[]) {
  const server = scriptServer(answers);
  const { exchange } = new Countinghouse({ ...server.options, exchange: KEY });
  const asked = { symbol: "A-B", fromMs: NOW - DAY_MS, toMs: NOW };
  return { reading: new TradeReading(exchange), asked, server };
}

const idsOf = (reading: TradeReading) => reading.state.value.points.map(({ id }) => id);

describe("a reading", () => {
  test("shows each page when it has come, and ends with every trade", async () => {
    const trades = tradesOf(60);
    const { reading, asked } = begin(trades);
    const counts = new Set<number>();
    reading.state.listen(() => counts.add(reading.state.value.points.length));
    await reading.begin(asked);
    expect(idsOf(reading)).toEqual(trades.map(({ tid }) => tid));
    expect(reading.state.value).toMatchObject({ phase: "done", asked, problem: undefined });
    expect(counts.size).toBeGreaterThan(8);
    expect(reading.state.value.pages).toBeGreaterThan(8);
    expect(reading.state.value.tokens).toBeGreaterThanOrEqual(reading.state.value.pages);
  });

  test("has each trade once and in order, wherever it is stopped, whatever fails, and however often it goes on", async () => {
    const mild = FAULTS.filter((fault) => fault !== "an internal error" && fault !== "a stale cursor");
    const faults = fc.array(fc.constantFrom(...mild), { maxLength: 8 });
    const stops = fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.nat(90), faults, stops, async (count, failing, stopsAt) => {
        const trades = tradesOf(count);
        const { reading, asked } = begin(trades, failing);
        const left = stopsAt.toSorted((one, other) => one - other);
        reading.state.listen(() => {
          const next = left[0];
          if (next === undefined || reading.state.value.points.length < next) return;
          left.shift();
          reading.stop();
        });
        await reading.begin(asked);
        for (let times = 0; reading.state.value.phase === "stopped"; times += 1) {
          expect(times).toBeLessThan(5);
          await reading.goOn();
        }
        expect(reading.state.value.phase).toBe("done");
        expect(idsOf(reading)).toEqual(trades.map(({ tid }) => tid));
      }),
      { numRuns: cases(30) },
    );
  });

  test("goes on after a failure, with the pages that it had", async () => {
    const { reading, asked } = scripted(
      pageOf([tradeAt(NOW, 2)], "c"),
      refusal,
      pageOf([tradeAt(NOW, 2), tradeAt(NOW - 1, 1)]),
    );
    await reading.begin(asked);
    expect(reading.state.value).toMatchObject({ phase: "failed", pages: 1 });
    expect(reading.state.value.problem).toContain("invalid_credentials");
    await reading.goOn();
    expect(reading.state.value).toMatchObject({ phase: "done", pages: 2, problem: undefined });
    expect(idsOf(reading)).toEqual([idOf(2), idOf(1)]);
  });

  test("keeps the trades that are here until a page of the next has come, also when it fails and goes on", async () => {
    const page = (n: number) => pageOf([tradeAt(NOW, n)]);
    const { reading, asked } = scripted(page(1), refusal, page(2));
    const awaited = { ...asked, symbol: "C-D" };
    await reading.begin(asked);
    await reading.begin(awaited);
    expect(reading.state.value).toMatchObject({ phase: "failed", asked, awaited, pages: 1 });
    expect(idsOf(reading)).toEqual([idOf(1)]);
    await reading.goOn();
    expect(reading.state.value).toMatchObject({
      phase: "done",
      asked: awaited,
      awaited: undefined,
      pages: 1,
    });
    expect(idsOf(reading)).toEqual([idOf(2)]);
  });

  test("that begins anew stops the one before, and has none of its trades", async () => {
    const { reading, asked } = begin(tradesOf(60));
    const again = { ...asked, fromMs: NOW };
    await Promise.all([reading.begin(asked), reading.begin(again)]);
    expect(reading.state.value).toMatchObject({ phase: "done", asked: again });
    await reading.begin(asked);
    await reading.begin(again);
    expect(idsOf(reading)).toHaveLength(3);
  });

  test("that is told to go on before it has stopped stops first", async () => {
    const trades = tradesOf(60);
    const { reading, asked } = begin(trades);
    const phases: string[] = [];
    let end: Promise<void> | undefined;
    reading.state.listen(() => {
      const { phase, points } = reading.state.value;
      if (phase !== phases.at(-1)) phases.push(phase);
      if (points.length > 20) end ??= reading.goOn();
    });
    await reading.begin(asked);
    await end;
    expect(phases).toEqual(["idle", "reading", "stopped", "reading", "done"]);
    expect(idsOf(reading)).toEqual(trades.map(({ tid }) => tid));
  });

  test("follows what is new, with trades that were written late, each once", async () => {
    const edge = tradeAt(NOW - 10_000, 950);
    const old = [...tradesOf(3), edge, ...tradesOf(30).slice(3)];
    const late = tradeAt(NOW - 9_000, 900);
    const fresh = [tradeAt(NOW + 2_000, 902), tradeAt(NOW + 1, 901)];
    const { reading, asked } = begin(old);
    await reading.begin(asked);
    const all = [...fresh, ...old.slice(0, 3), late, ...old.slice(3)];
    const followed = new TradeReading(begin(all, [], NOW + 5_000).exchange);
    followed.state.set(reading.state.value);
    await followed.follow(NOW + 5_000);
    expect(idsOf(followed)).toEqual(all.map(({ tid }) => tid));
    expect(followed.state.value).toMatchObject({ phase: "done", asked: { ...asked, toMs: NOW + 5_000 } });
    expect(followed.state.value.pages).toBeGreaterThan(reading.state.value.pages);
    await followed.follow(NOW + 5_000);
    expect(idsOf(followed)).toHaveLength(all.length);
  });

  test("follows nothing before it is done, and stays done when following fails", async () => {
    const page = pageOf([tradeAt(NOW, 1)]);
    const { reading, asked, server } = scripted(page, refusal, page);
    await reading.follow(NOW + 1);
    expect(server.sent).toHaveLength(0);
    await reading.begin(asked);
    await reading.follow(NOW + 1);
    expect(reading.state.value).toMatchObject({ phase: "done", asked: { toMs: NOW } });
    expect(reading.state.value.problem).toContain("invalid_credentials");
    reading.state.set({ ...reading.state.value, phase: "stopped" });
    await reading.follow(NOW + 2);
    expect(server.sent).toHaveLength(2);
    reading.state.set({ ...reading.state.value, phase: "done" });
    await reading.follow(NOW + 2);
    expect(reading.state.value).toMatchObject({ problem: undefined, asked: { toMs: NOW + 2 } });
    expect(idsOf(reading)).toEqual([idOf(1)]);
  });

  test("that was never begun does not go on", async () => {
    const { reading, model } = begin(tradesOf(3));
    await reading.goOn();
    expect([reading.state.value.phase, model.requests]).toEqual(["idle", 0]);
  });
});

describe("a watched platform", () => {
  /** Reads once through a scripted server. */
  async function watch(answers: readonly Scripted[]) {
    const server = scriptServer(answers);
    const statuses: number[] = [];
    const waits: (Wait | undefined)[] = [];
    const platform = watchedPlatform(server.options, {
      answered: ({ status }) => statuses.push(status),
      waits: (wait) => waits.push(wait),
    });
    const { exchange } = new Countinghouse({ ...server.options, exchange: KEY, ...platform });
    await Array.fromAsync(exchange.trades({ symbol: "A-B", from: NOW - 2 * DAY_MS }));
    return { statuses, waits };
  }
  const page = (headers = {}): Scripted => ({ headers, ...pageOf([]) });

  const SHORT_SECOND = { "RateLimit-Policy": '"second";q=100;w=1', RateLimit: '"second";r=0;t=1' };

  test("tells of the wait after a 429, for which budget it is, until when it lasts, and of its end", async () => {
    const refusal = {
      status: 429,
      headers: { ...SHORT_SECOND, "Retry-After": "740" },
      body: errorBody("rate_limited"),
    };
    const { statuses, waits } = await watch([refusal, page(), page()]);
    expect(statuses).toEqual([429, 200, 200]);
    expect(waits).toEqual([
      { fromMs: NOW, untilMs: NOW + 740, cause: "refused", short: ["second"] },
      undefined,
    ]);
  });

  test("tells of the wait for tokens, ahead of a refusal", async () => {
    const { waits } = await watch([page(SHORT_SECOND), page()]);
    expect(waits).toEqual([{ fromMs: NOW, untilMs: NOW + 10, cause: "tokens" }, undefined]);
  });

  test.each([
    ["a failure", { status: 503, body: errorBody("temporarily_unavailable") }],
    ["no answer", new TypeError("fetch failed")],
  ])("tells of the wait after %s", async (_, failure) => {
    const { waits } = await watch([page(), failure, page()]);
    expect(waits.map((wait) => wait?.cause)).toEqual(["failure", undefined]);
  });

  test("tells of the end of a wait that is given up", async () => {
    const waits: (Wait | undefined)[] = [];
    const platform = watchedPlatform(scriptServer([]).options, {
      answered: () => {},
      waits: (wait) => waits.push(wait),
    });
    await expect(platform.sleep(5, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    expect(waits.at(-1)).toBeUndefined();
    expect(waits).toHaveLength(2);
  });
});
