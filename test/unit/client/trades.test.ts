import { describe, expect, test, vi } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { Countinghouse, type TradeProgress, type TradesOptions } from "../../../client/src/index.ts";
import { WindowPlan } from "../../../client/src/window-plan.ts";
import { SCRIPT_BEGINS_MS as NOW, type Scripted, scriptServer } from "../../support/scripted-fetch.ts";
import { servedTrade } from "../../support/trades.ts";

const DAY_MS = 86_400_000;
const trade = (tdt: number, n = 0) => ({ ...servedTrade, tdt, pdt: tdt, tid: idOf(n) });
const pageOf = (data: readonly object[], next_cursor?: string): Scripted => ({
  body: { data, metadata: { timestamp: NOW, next_cursor } },
});

function begin(answers: readonly Scripted[], options: Partial<TradesOptions> = {}) {
  const server = scriptServer(answers);
  const exchange = { apiKey: "K", sign: () => new Uint8Array(64) };
  const client = new Countinghouse({ ...server.options, exchange });
  const walk = () => client.exchange.trades({ symbol: "A-B", from: NOW - DAY_MS, ...options });
  return { ...server, walk };
}

/** The windows that were asked for, in milliseconds before now. */
const windowsOf = (sent: readonly { readonly url: string }[]) =>
  sent.map(({ url }) => {
    const { searchParams: query } = new URL(url);
    return [NOW - Number(query.get("start_date")), NOW - Number(query.get("end_date"))];
  });

describe("windows", () => {
  const next = (plan: WindowPlan) => {
    const { startMs, endMs } = plan.next(0, 100 * DAY_MS);
    return (endMs - startMs) / DAY_MS;
  };

  test("begin with a day, grow fourfold at most while nothing is there, and have thirty days at most", () => {
    const plan = new WindowPlan(1_000);
    const days: number[] = [];
    for (let times = 0; times < 5; times += 1) {
      days.push(next(plan));
      plan.saw(plan.next(0, 100 * DAY_MS), 0);
    }
    expect(days).toEqual([1, 4, 16, 30, 30]);
  });

  test("are as long as fill four fifths of a page", () => {
    const plan = new WindowPlan(1_000);
    plan.saw({ startMs: 1, endMs: DAY_MS }, 267);
    expect(next(plan)).toBe(2);
    plan.saw({ startMs: 1, endMs: DAY_MS }, 266);
    expect(next(plan)).toBe(3);
  });

  test("have a day, which no window is cheaper than, however dense the trades are", () => {
    const plan = new WindowPlan(1_000);
    plan.saw({ startMs: 0, endMs: DAY_MS - 1 }, 0);
    plan.saw({ startMs: 5, endMs: 5 }, 1_000);
    expect(next(plan)).toBe(1);
  });

  test("do not begin before the walk's end", () => {
    expect(new WindowPlan(1).next(7, 9)).toEqual({ startMs: 7, endMs: 9 });
  });
});

describe("a walk", () => {
  const from = NOW - 6 * DAY_MS;

  test("asks for adjoining windows that share no millisecond", async () => {
    const { walk, sent } = begin([pageOf([trade(NOW)]), pageOf([])], { from: NOW - 1.5 * DAY_MS });
    expect(await Array.fromAsync(walk())).toEqual([trade(NOW)]);
    expect(windowsOf(sent)).toEqual([
      [DAY_MS, 0],
      [1.5 * DAY_MS, DAY_MS + 1],
    ]);
  });

  test("leaves a long window for shorter ones when it has more than a page", async () => {
    const dense = [trade(NOW - 2 * DAY_MS, 1), trade(NOW - 2.5 * DAY_MS, 2)];
    const { walk, sent } = begin([pageOf([]), pageOf(dense, "c-1"), pageOf([]), pageOf([])], {
      from,
      limit: 2,
    });
    await Array.fromAsync(walk());
    expect(windowsOf(sent).slice(0, 3)).toEqual([
      [DAY_MS, 0],
      [5 * DAY_MS + 1, DAY_MS + 1],
      [3.5 * DAY_MS, 2.5 * DAY_MS],
    ]);
    expect(sent.some(({ url }) => url.includes("cursor"))).toBe(false);
  });

  test("follows the cursor of a day, with the same dates", async () => {
    const { walk, sent } = begin([pageOf([trade(NOW - 5)], "c-1"), pageOf([])], { limit: 1 });
    await Array.fromAsync(walk());
    const [first, second] = sent.map(({ url }) => new URL(url).search);
    expect(second).toBe(`${first}&cursor=c-1`);
  });

  const daysOf = (sent: readonly { readonly url: string }[]) =>
    windowsOf(sent).map(([start = 0, end = 0]) => (start - end) / DAY_MS);

  test("learns how dense the trades are from whole windows and full first pages alone", async () => {
    const lastPage = begin([pageOf([trade(NOW - 1, 1), trade(NOW - 2, 2)], "c"), pageOf([]), pageOf([])], {
      from: NOW - 2 * DAY_MS,
      limit: 2,
    });
    await Array.fromAsync(lastPage.walk());
    expect(daysOf(lastPage.sent.slice(0, 3))).toEqual([1, 1, expect.closeTo(1, 5)]);
    const shortPage = begin([pageOf([], "c"), pageOf([]), pageOf([]), pageOf([]), pageOf([])], { from });
    await Array.fromAsync(shortPage.walk());
    expect(daysOf(shortPage.sent).slice(0, 4)).toEqual([1, 1, 1, expect.closeTo(4, 5)]);
  });

  test("follows the cursor of a long window after a page that is not full", async () => {
    const pages = [pageOf([]), pageOf([trade(NOW - 2 * DAY_MS)], "c-1"), pageOf([]), pageOf([])];
    const { walk, sent } = begin(pages, { from, limit: 2 });
    await Array.fromAsync(walk());
    expect(sent.map(({ url }) => new URL(url).searchParams.get("cursor"))).toEqual([null, null, "c-1", null]);
  });

  test("follows the cursor of a long window while its newest instant fills pages", async () => {
    const at = NOW - DAY_MS - 1;
    const pages = [
      pageOf([]),
      pageOf([trade(at, 1), trade(at, 2)], "c-1"),
      pageOf([trade(at, 3)]),
      pageOf([]),
    ];
    const { walk, sent } = begin(pages, { from, limit: 2 });
    expect(await Array.fromAsync(walk())).toHaveLength(3);
    expect(sent.map(({ url }) => new URL(url).searchParams.get("cursor"))).toEqual([null, null, "c-1", null]);
  });

  test("says where it is, to the trade", async () => {
    const trades = [trade(NOW, 1), trade(NOW - 5, 2)];
    const walk = begin([pageOf(trades)]).walk();
    const place = { symbol: "A-B", fromMs: NOW - DAY_MS };
    const nothing = { trades: 0, pages: 0, tokens: 0, waitedMs: 0, oldestMs: undefined };
    expect(walk.progress).toEqual({ ...nothing, resume: { ...place, untilMs: NOW, given: [] } });
    const given = walk[Symbol.asyncIterator]();
    await given.next();
    expect(walk.progress.resume).toEqual({ ...place, untilMs: NOW, given: [idOf(1)] });
    expect(walk.progress.oldestMs).toBe(NOW);
    await given.next();
    await given.next();
    expect(walk.progress.resume).toEqual({ ...place, untilMs: NOW - DAY_MS - 1, given: [] });
  });

  test("does not stay with its signal when it is over", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await Array.fromAsync(begin([pageOf([])], { signal }).walk());
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });

  test("reads one page ahead, and no more", async () => {
    const day = (n: number) => pageOf([trade(NOW - n * DAY_MS, n)], `c-${n}`);
    const { walk, sent } = begin([day(0), day(0.1), day(0.2), day(0.3)], { limit: 1 });
    const trades = walk()[Symbol.asyncIterator]();
    await trades.next();
    await new Promise(setImmediate);
    expect(sent).toHaveLength(2);
    await trades.return();
  });

  test("tells of its progress after each page", async () => {
    const limited = { status: 429, body: { ...limitedBody, retry_after_ms: 40 } };
    const reports: TradeProgress[] = [];
    const pages = [pageOf([trade(NOW, 1), trade(NOW - 5, 2)]), limited, pageOf([])];
    const { walk } = begin(pages, {
      from: NOW - 2 * DAY_MS,
      onProgress: (progress) => reports.push(progress),
    });
    await Array.fromAsync(walk());
    expect(reports.at(-1)).toMatchObject({ trades: 2, oldestMs: NOW - 5, pages: 2, tokens: 2, waitedMs: 40 });
    expect(reports).toHaveLength(2);
  });

  test("gives no more of a page once its signal is aborted", async () => {
    const stop = new AbortController();
    const { walk } = begin([pageOf([trade(NOW, 1), trade(NOW, 2)])], { signal: stop.signal });
    const trades = walk()[Symbol.asyncIterator]();
    await trades.next();
    stop.abort(new Error("enough"));
    await expect(trades.next()).rejects.toThrow("enough");
  });

  test("stops the reading ahead when the program leaves it", async () => {
    const { walk, sent } = begin([pageOf([trade(NOW)], "c"), new TypeError("x")], { limit: 1 });
    for await (const _ of walk()) break;
    await new Promise(setImmediate);
    expect(sent).toHaveLength(1);
  });

  test("is iterated once", async () => {
    const walk = begin([pageOf([])]).walk();
    await Array.fromAsync(walk);
    await expect(Array.fromAsync(walk)).rejects.toThrow("A walk can be iterated once");
  });

  test.each([
    ["later than the one before", [pageOf([trade(NOW - 5), trade(NOW - 4)])]],
    ["later than the page before", [pageOf([trade(NOW - 5)], "c"), pageOf([trade(NOW - 4)])]],
    ["later than the window", [pageOf([trade(NOW + 1)])]],
    ["earlier than the window", [pageOf([trade(NOW - DAY_MS - 1)])]],
  ])("refuses a trade that is %s", async (_, pages) => {
    await expect(Array.fromAsync(begin(pages).walk())).rejects.toMatchObject({
      code: "unexpected_answer",
      message: expect.stringContaining("is out of order"),
    });
  });

  test("refuses a page that leads to itself", async () => {
    const { walk, sent } = begin([pageOf([], "c"), pageOf([], "c")]);
    await expect(Array.fromAsync(walk())).rejects.toMatchObject({ code: "unexpected_answer" });
    expect(sent).toHaveLength(2);
  });

  const refused = (code: string) => ({ status: 400, body: { ...limitedBody, code } });
  test("begins a window again only for its cursor, and as often as it gives trades meanwhile", async () => {
    for (const pages of [[refused("invalid_cursor")], [pageOf([], "c"), refused("unknown_symbol")]]) {
      const { walk, sent } = begin(pages);
      await expect(Array.fromAsync(walk())).rejects.toMatchObject({ status: 400 });
      expect(sent).toHaveLength(pages.length);
    }
    const slowly = Array.from({ length: 9 }, (_, n) => [
      pageOf([trade(NOW - n, n)], `c-${n}`),
      refused("invalid_cursor"),
    ]);
    expect(await Array.fromAsync(begin([...slowly.flat(), pageOf([])]).walk())).toHaveLength(9);
  });

  test("gives up a window whose cursor is refused again and again", async () => {
    const pages = Array.from({ length: 20 }, () => [pageOf([], "c"), refused("invalid_cursor")]);
    const { walk, sent } = begin(pages.flat());
    await expect(Array.fromAsync(walk())).rejects.toMatchObject({ code: "invalid_cursor" });
    expect(sent).toHaveLength(12);
  });
});

const limitedBody = { error_id: "e", code: "rate_limited", message: "Wait.", timestamp: NOW };

describe("options of a walk", () => {
  const inMs = "must be whole epoch milliseconds, which have 13 digits.";
  const instant =
    "must be an instant: a Date, epoch milliseconds, or ISO 8601 with a zone, such as 2026-11-01T00:00:00Z.";
  const zoned = "must end with its zone, such as Z or +01:00.";
  test.each<readonly [Partial<TradesOptions>, string]>([
    [{ symbol: undefined }, "symbol: is missing."],
    [{ symbol: "" }, "symbol: is missing."],
    [{ from: undefined }, "from: is missing."],
    [{ from: NOW / 1000 }, `from: must be epoch milliseconds, such as ${NOW} for these seconds.`],
    [{ from: NOW * 1000 }, `from: ${inMs}`],
    [{ to: 1_795_554_000_000.5 }, `to: ${inMs}`],
    [{ from: Number.NaN }, `from: ${inMs}`],
    [{ from: "2026-11-01T00:00:00" }, `from: ${zoned}`],
    [{ from: "2026-11-01T00:00:00+02:00x" }, `from: ${zoned}`],
    [{ to: "on 2026-11-01" }, `to: ${instant}`],
    [{ from: "yesterday" }, `from: ${instant}`],
    [{ from: "2026-11-01T25:00:00Z" }, `from: ${instant}`],
    [{ from: String(NOW) }, "from: must be a number for epoch milliseconds."],
    [{ from: "2026-11-31" }, "from: must be on a day that exists."],
    [{ to: "2027-02-29T00:00:00Z" }, "to: must be on a day that exists."],
    [{ to: "1 Nov 2026 00:00:00Z" }, `to: ${instant}`],
    [{ from: new Date(Number.NaN) }, `from: ${instant}`],
    [{ from: new Date(-1) }, `from: ${instant}`],
    ...[null, false, [], {}, [NOW]].map((from) => [{ from: from as never }, `from: ${instant}`] as const),
    [{ to: null as never }, `to: ${instant}`],
    [{ from: NOW, to: NOW - 1 }, "from: must not be later than to."],
    [{ limit: 1_901 }, "limit: must be a whole number from 1 to 1900."],
  ])("that cannot be meant are refused: %j", (options, message) => {
    expect(begin([], options).walk).toThrow(new TypeError(message));
  });

  test.each<readonly [Partial<TradesOptions>, number]>([
    [{ from: new Date(NOW - 10) }, 10],
    [{ from: NOW - 10 }, 10],
    [{ from: new Date(NOW - 10).toISOString() }, 10],
    [{ from: "2026-11-24T22:00:00+02:00" }, 3_600_000],
    [{ from: "2026-11-24T22:00:00+0200" }, 3_600_000],
    [{ from: "2026-11-24" }, 75_600_000],
    [{ from: NOW }, 0],
  ])("take an instant in every form: %j", async (options, agoMs) => {
    const { walk, sent } = begin([pageOf([])], options);
    await Array.fromAsync(walk());
    expect(windowsOf(sent)).toEqual([[agoMs, 0]]);
  });

  const resume = { symbol: "A-B", fromMs: NOW - 50, untilMs: NOW - 20, given: [idOf(1)] };

  test("may be a place to go on from alone, after the trades that were given of its instant", async () => {
    const all = [trade(NOW - 20, 1), trade(NOW - 20, 2), trade(NOW - 30, 1)];
    const { walk, sent } = begin([pageOf(all)], { symbol: undefined, from: undefined, resume });
    expect(await Array.fromAsync(walk())).toEqual(all.slice(1));
    expect(windowsOf(sent)).toEqual([[50, 20]]);
  });

  test("may repeat what the place to go on from says", async () => {
    for (const to of [NOW - 20, NOW]) {
      const { walk, sent } = begin([pageOf([])], { from: NOW - 50, to, resume });
      await Array.fromAsync(walk());
      expect(windowsOf(sent)).toEqual([[50, 20]]);
    }
  });

  const unusable = "resume: must be the progress.resume of a walk.";
  test.each<readonly [Partial<TradesOptions>, string]>([
    [{ symbol: "B-C" }, "resume: is of A-B, not of B-C."],
    [{ from: NOW - 51 }, "resume: is of a walk with another from."],
    [{ to: NOW - 21 }, "resume: is of a walk with a later to."],
    [{ from: 1 }, `from: ${inMs}`],
    [{ to: 1 }, `to: ${inMs}`],
    [{ resume: { ...resume, symbol: 1 } as never }, unusable],
    [{ resume: { ...resume, fromMs: "then" } as never }, unusable],
    [{ resume: { ...resume, untilMs: "now" } as never }, unusable],
    [{ resume: { ...resume, given: "a" } as never }, unusable],
    [{ resume: { ...resume, given: ["a", 1] } as never }, unusable],
    [{ resume: "c-1" as never }, unusable],
    [{ resume: null as never }, unusable],
  ])("are refused with a place to go on from that is of another walk: %j", (options, message) => {
    expect(begin([], { from: NOW - 50, resume, ...options }).walk).toThrow(new TypeError(message));
  });
});
