import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { busyTrades } from "../../../bench/support/busy-trades.ts";
import { SegmentTable } from "../../../bench/support/segment-table.ts";
import { logOf } from "../../../lib/log.ts";
import { listTrades as contract } from "../../../lib/trades/contract.ts";
import { UnreadableSegment } from "../../../lib/trades/pack-segment.ts";
import { putTrades } from "../../../lib/trades/put-trades.ts";
import { DamagedSegment, keyText, readSegment } from "../../../lib/trades/read-segment.ts";
import { SEGMENT_SPAN_MS } from "../../../lib/trades/segment.ts";
import type { Trade } from "../../../lib/trades/trade.ts";
import { readPage, type SegmentSource } from "../../../lib/trades/trade-reader.ts";
import type { StoredSegment } from "../../../lib/trades/trade-store.ts";
import { describedMetrics, lineFaults } from "../../support/metric-lines.ts";
import { askTrades, DAY_MS, listAll, NOW, trade } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
/** The beginning of the stretch of the middle one of three segments. */
const STRETCH = Math.floor((NOW - DAY_MS) / SEGMENT_SPAN_MS) * SEGMENT_SPAN_MS;
const LAST = STRETCH + 700;

let table: SegmentTable;
let lines: string[];
beforeEach(async () => {
  table = new SegmentTable();
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const trades = [trade(1, STRETCH - 1), trade(2, STRETCH + 500), trade(3, LAST), trade(4, STRETCH + 2_000)];
  await putTrades(table, SYMBOL, trades);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const stored = (at: number): StoredSegment => {
  const segment = table.segments[at];
  if (segment === undefined) throw new Error("There is no such segment.");
  return segment;
};
const damage = (at: number, payload = randomBytes(16)) => table.put([{ ...stored(at), payload }]);

const ids = async (startMs: number, endMs: number, limit = 1_900) => {
  const window = { startMs, endMs };
  const pages = await listAll(table, { symbol: SYMBOL, window, limit, now: NOW });
  return pages.flat().map(({ tradedAt }) => tradedAt - STRETCH);
};

describe("a damaged segment is in the way of", () => {
  beforeEach(() => damage(1));

  test("no range that ends before its stretch of time, or begins after its last trade", async () => {
    expect(await ids(STRETCH - DAY_MS, STRETCH - 1)).toEqual([-1]);
    expect(await ids(LAST + 1, NOW)).toEqual([2_000]);
  });

  test("every range that may include one of its trades", async () => {
    const before = STRETCH - DAY_MS;
    const windows: [number, number][] = [
      [before, STRETCH],
      [LAST, NOW],
      [before, NOW],
      [LAST, LAST],
    ];
    for (const window of windows) await expect(ids(...window)).rejects.toThrow(DamagedSegment);
  });

  test("no page that is full before it", async () => {
    await putTrades(table, SYMBOL, [trade(5, STRETCH + 2_001)]);
    const window = { startMs: STRETCH - DAY_MS, endMs: NOW };
    const question = { symbol: SYMBOL, window, limit: 1, now: NOW };
    const source: SegmentSource = { page: (asked) => table.page({ ...asked, segmentsMax: 9 }) };
    const first = await readPage(source, question);
    expect(first.rows).toHaveLength(1);
    await expect(readPage(source, { ...question, from: first.next })).rejects.toThrow(DamagedSegment);
  });

  test("a listing, even when only its key is left, cut short", async () => {
    const { partition, sort } = stored(1);
    const [low, , high] = table.segments;
    table = new SegmentTable();
    await table.put([low, high].filter((segment) => segment !== undefined));
    await table.put([{ partition, sort: sort.subarray(0, 5), payload: Buffer.alloc(0) }]);
    await expect(ids(STRETCH - DAY_MS, NOW)).rejects.toThrow(DamagedSegment);
  });
});

describe("damage is found", () => {
  test.each([
    ["random bytes", () => randomBytes(16)],
    ["nothing", () => Buffer.alloc(0)],
    ["half of it", ({ payload }: StoredSegment) => payload.subarray(0, payload.length / 2)],
    ["one byte more", ({ payload }: StoredSegment) => Buffer.concat([payload, Buffer.alloc(1)])],
    ["the content of another segment", () => stored(0).payload],
    ["a later version", ({ payload }: StoredSegment) => Buffer.concat([Buffer.of(2), payload.subarray(1)])],
    ["a bomb", () => Buffer.concat([Buffer.of(1, 0, 0x40, 0), deflateRawSync(Buffer.alloc(2 ** 24))])],
  ])("when a segment holds %s", (_, payloadOf) => {
    const segment = stored(1);
    expect(() => readSegment({ ...segment, payload: payloadOf(segment) })).toThrow(DamagedSegment);
  });

  test("whichever bit was turned: no other price passes for the one that was written", async () => {
    const market = new SegmentTable();
    await putTrades(market, SYMBOL, busyTrades(40, 40, NOW));
    const [segment] = market.segments;
    if (segment === undefined) throw new Error("Nothing was written.");
    const sound = JSON.stringify(readSegment(segment));
    for (let at = 0; at < segment.payload.length * 8; at += 1) {
      const payload = Buffer.from(segment.payload);
      payload.writeUInt8(payload.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
      let read: unknown = sound;
      try {
        read = JSON.stringify(readSegment({ ...segment, payload }));
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedSegment);
      }
      expect(read).toBe(sound);
    }
  });
});

describe("a request that meets a damaged segment", () => {
  const log = logOf({ stage: "test", endpoint: contract.name });
  const get = (query: string) => askTrades({ segments: table, log }, query);

  test("is a 500 with an error_id, and one line names the segment and counts it for an alarm", async () => {
    await damage(1);
    const answer = await get("");
    expect(answer).toMatchObject({ status: 500, code: "internal_error", error_id: expect.any(String) });
    const [report, request, ...more] = lines.map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    expect(lines.flatMap(lineFaults)).toEqual([]);
    expect(report).toEqual({
      stage: "test",
      endpoint: "list-trades",
      timestamp: new Date(NOW).toISOString(),
      level: "ERROR",
      _aws: {
        Timestamp: NOW,
        CloudWatchMetrics: [describedMetrics(["stage", "endpoint"], "DamagedSegment")],
      },
      market: SYMBOL,
      DamagedSegment: 1,
      segment: keyText(stored(1)),
    });
    expect(request).toMatchObject({ status: 500, error_id: answer.error_id, level: "ERROR" });
  });

  test("outside of its range is a 200, and nothing is counted", async () => {
    await damage(1);
    expect(await get(`start_date=${LAST + 1}`)).toMatchObject({ status: 200, data: [expect.anything()] });
    expect(lines.map((line) => JSON.parse(line).DamagedSegment)).toEqual([undefined]);
  });
});

describe("nothing is stored that readers would refuse", () => {
  test.each([
    ["a side that is a function", { side: Object.prototype.constructor as unknown as "buy" }],
    ["a publication beyond the columns' reach", { publishedAt: 8_640_000_000_000_000 }],
    ["a publication before 1970", { publishedAt: -1 }],
    ["a price with spaces", { price: " 7" }],
    ["a quantity of more digits than a column holds", { quantity: "9".repeat(41) }],
    ["an id that is short", { id: "ab" }],
    ["an instant between two milliseconds", { tradedAt: NOW + 0.5 }],
  ])("%s: none of its batch", async (_, changes) => {
    const market = new SegmentTable();
    const good = busyTrades(300, 30, NOW);
    const batch: readonly Trade[] = [...good, trade(7, NOW, changes)];
    await expect(putTrades(market, SYMBOL, batch)).rejects.toThrow(UnreadableSegment);
    expect(market.size).toBe(0);
  });
});
