import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOf } from "../../../bench/support/busy-trades.ts";
import { CLOCKS_APART_MAX_MS } from "../../../lib/clock.ts";
import type { Failure } from "../../../lib/errors.ts";
import { type Continuation, readCursor, requireSameDates, writeCursor } from "../../../lib/trades/cursor.ts";
import { INSTANT_MAX_MS } from "../../../lib/trades/trade.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { DAY_MS, NOW } from "../../support/trades.ts";

const continuation: Continuation = {
  window: { startMs: NOW - 7 * DAY_MS, endMs: NOW },
  begunAt: NOW - 5_000,
  position: { tradedAt: NOW - DAY_MS, id: idOf(1) },
  resumeAt: { tradedAt: NOW - DAY_MS + 1_500, id: idOf(2) },
  yield: 60,
};
const cursor = writeCursor("BTC-USD", continuation);
const read = (text: string, symbol = "BTC-USD") => readCursor(symbol, text, NOW);

const messageOf = (run: () => unknown) => (thrownBy(run) as Failure | undefined)?.message;
const codeOf = (run: () => unknown) => (thrownBy(run) as Failure | undefined)?.code ?? "accepted";

/** A cursor that is forged in our own format. */
function forge(
  symbol: string,
  changes: {
    startMs?: number;
    endMs?: number;
    begunAt?: number;
    tradedAt?: number;
    resumeMs?: number;
    version?: number;
    gave?: number;
  },
): string {
  const { window, begunAt, position, resumeAt } = continuation;
  const { startMs = window.startMs, endMs = window.endMs, tradedAt = position.tradedAt } = changes;
  const bytes = Buffer.from(cursor, "base64url").subarray(0, 62);
  bytes.writeUInt8(changes.version ?? 2, 0);
  bytes.writeUInt8(changes.gave ?? continuation.yield, 1);
  bytes.writeBigInt64BE(BigInt(changes.begunAt ?? begunAt), 2);
  bytes.writeBigInt64BE(BigInt(endMs), 10);
  bytes.writeUInt32BE((endMs - startMs) >>> 0, 18);
  bytes.writeUInt32BE((endMs + 2_000 - tradedAt) >>> 0, 22);
  bytes.writeUInt32BE((endMs + 2_000 - (changes.resumeMs ?? resumeAt.tradedAt)) >>> 0, 42);
  const checksum = createHash("sha256").update(`${symbol}\n`).update(bytes).digest().subarray(0, 7);
  return Buffer.concat([bytes, checksum]).toString("base64url");
}

test("a cursor carries its window, when it began, its position and where reading continues", () => {
  expect(read(cursor)).toEqual(continuation);
});

test("each part of a cursor is read as it was written, over its whole range", () => {
  const ids = fc.stringMatching(/^[0-9a-f]{32}$/);
  const spans = fc.integer({ min: 0, max: 30 * DAY_MS });
  const ends = fc.oneof(fc.constantFrom(0, NOW, INSTANT_MAX_MS), fc.integer({ min: 0, max: INSTANT_MAX_MS }));
  const parts = fc.tuple(
    ends,
    spans,
    spans,
    fc.integer({ min: -2_000, max: 2_000 }),
    ids,
    fc.integer({ min: 0, max: NOW }),
  );
  const continuations = parts.map(([endMs, spanMs, backMs, apartMs, id, begunAt]): Continuation => {
    const startMs = Math.max(-7 * DAY_MS, endMs - spanMs);
    const within = (ms: number) => Math.max(0, startMs, ms);
    const position = { tradedAt: within(endMs - backMs), id };
    const resumeAt = { tradedAt: within(position.tradedAt + apartMs), id };
    return { window: { startMs, endMs }, begunAt, position, resumeAt, yield: 1 + (backMs % 250) };
  });
  fc.assert(
    fc.property(continuations, (made) => {
      expect(read(writeCursor("BTC-USD", made))).toEqual(made);
    }),
  );
});

test("a cursor passes through a query unencoded", () => {
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{92}$/);
});

test("a cursor of an earlier release is refused, like any foreign text", () => {
  const bytes = Buffer.alloc(66);
  bytes.writeUInt8(1);
  const checksum = createHash("sha256").update("BTC-USD\n").update(bytes).digest().subarray(0, 6);
  const earlier = Buffer.concat([bytes, checksum]).toString("base64url");
  expect(codeOf(() => read(earlier))).toBe("invalid_cursor");
});

test.each([
  [CLOCKS_APART_MAX_MS, "accepted"],
  [CLOCKS_APART_MAX_MS + 1, "invalid_cursor"],
])("of a listing that began %d ms from now, on another clock: %s", (aheadMs, code) => {
  const made = writeCursor("BTC-USD", { ...continuation, begunAt: NOW + aheadMs });
  expect(codeOf(() => read(made))).toBe(code);
});

test("any other text is refused, and never a fault", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]{92}$/)),
      (text) => {
        expect(codeOf(() => read(text))).toBe("invalid_cursor");
      },
    ),
  );
});

test("a cursor with any letter changed is refused", () => {
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
    expect(codeOf(() => read(changed))).toBe("invalid_cursor");
  }
});

test("a cursor in another spelling of its bytes is refused", () => {
  const spellings = [
    `${cursor}=`,
    ` ${cursor}`,
    cursor.slice(0, -1),
    Buffer.from(cursor, "base64url").toString("base64url").concat("A"),
  ];
  for (const spelling of spellings) expect(codeOf(() => read(spelling))).toBe("invalid_cursor");
});

describe("a forged cursor with a right checksum is refused when it says what no query could ask for", () => {
  const aroundEpoch = { startMs: -DAY_MS, endMs: DAY_MS };

  test.each([
    ["more than 30 days", { startMs: NOW - 30 * DAY_MS - 1 }],
    ["a reversed range", { startMs: NOW + 1 }],
    ["a position after the range", { tradedAt: NOW + 1 }],
    ["a position before the range", { tradedAt: NOW - 7 * DAY_MS - 1 }],
    ["reading far above its position", { resumeMs: NOW - DAY_MS + 2_001 }],
    ["reading below the range", { resumeMs: NOW - 7 * DAY_MS - 1 }],
    [
      "an instant that no date has",
      { startMs: 2 ** 62, endMs: 2 ** 62, tradedAt: 2 ** 62, resumeMs: 2 ** 62 },
    ],
    [
      "a time long before the epoch",
      { startMs: -(2 ** 53), endMs: -(2 ** 53), tradedAt: -(2 ** 53), resumeMs: 0 },
    ],
    ["a position before the epoch", { ...aroundEpoch, tradedAt: -1, resumeMs: 0 }],
    ["reading below the epoch", { ...aroundEpoch, tradedAt: 0, resumeMs: -1 }],
    ["a beginning before the epoch", { begunAt: -1 }],
    ["a beginning that no date has", { begunAt: 2 ** 62 }],
    ["another version", { version: 1 }],
    ["segments that give nothing", { gave: 0 }],
    ["segments that give more than they hold", { gave: 251 }],
  ])("%s", (_, changes) => {
    expect(codeOf(() => read(forge("BTC-USD", changes)))).toBe("invalid_cursor");
  });

  test("but acts like a query when it keeps the rules", () => {
    const inside = { tradedAt: NOW - 2 * DAY_MS, resumeMs: NOW - 2 * DAY_MS };
    for (const changes of [inside, { ...aroundEpoch, tradedAt: 0, resumeMs: 0 }])
      expect(codeOf(() => read(forge("BTC-USD", changes)))).toBe("accepted");
  });
});

test("dates beside a cursor must be those of its window, or absent", () => {
  const { window } = continuation;
  for (const dates of [{}, { startMs: window.startMs }, window]) {
    expect(codeOf(() => requireSameDates(window, dates))).toBe("accepted");
  }
  for (const dates of [{ endMs: NOW + 1 }, { startMs: window.startMs, endMs: NOW - 1 }, { startMs: 0 }]) {
    expect(codeOf(() => requireSameDates(window, dates))).toBe("invalid_cursor");
  }
});

test("the message of a refused cursor says what to send", () => {
  const notOurs = "cursor: does not belong to this symbol; send next_cursor of the previous page unchanged.";
  for (const text of ["", "x", forge("BTC-USD", { version: 1 }), `${cursor.slice(0, -1)}A`])
    expect(messageOf(() => read(text))).toBe(notOurs);
  expect(messageOf(() => read(cursor, "ETH-USD"))).toBe(notOurs);
  expect(messageOf(() => read(forge("BTC-USD", { gave: 0 })))).toBe("cursor: does not belong to any range.");
  expect(messageOf(() => read(forge("BTC-USD", { begunAt: NOW + DAY_MS })))).toBe(
    "cursor: was made by a clock that is ahead of this one; begin the listing again.",
  );
  expect(messageOf(() => requireSameDates(continuation.window, { startMs: 0 }))).toBe(
    "cursor: belongs to another range; repeat the dates of the first page, or leave them out.",
  );
});

test("what a forged one says may reach each bound of what a query could ask for", () => {
  const { startMs, endMs } = continuation.window;
  const edges = [
    { tradedAt: startMs, resumeMs: startMs },
    { tradedAt: endMs, resumeMs: endMs },
    { tradedAt: NOW - DAY_MS, resumeMs: NOW - DAY_MS + 2_000 },
    { startMs: endMs - 30 * DAY_MS },
    { startMs: endMs, tradedAt: endMs, resumeMs: endMs },
    { begunAt: 0 },
    { gave: 1 },
    { gave: 250 },
    { startMs: -7 * DAY_MS, endMs: 0, tradedAt: 0, resumeMs: 0 },
    {
      startMs: INSTANT_MAX_MS,
      endMs: INSTANT_MAX_MS + 7 * DAY_MS,
      tradedAt: INSTANT_MAX_MS,
      resumeMs: INSTANT_MAX_MS,
    },
  ];
  for (const edge of edges) expect(codeOf(() => read(forge("BTC-USD", edge)))).toBe("accepted");
  const beyond = [
    { tradedAt: startMs - 1, resumeMs: startMs },
    { startMs: -7 * DAY_MS - 1, endMs: 0, tradedAt: 0, resumeMs: 0 },
    { startMs: -7 * DAY_MS, endMs: -1, tradedAt: -1, resumeMs: 0 },
    { startMs: -7 * DAY_MS, endMs: 5, tradedAt: -1, resumeMs: 0 },
    { startMs: -7 * DAY_MS, endMs: 5, tradedAt: 0, resumeMs: -1 },
    {
      startMs: INSTANT_MAX_MS,
      endMs: INSTANT_MAX_MS + 7 * DAY_MS + 1,
      tradedAt: INSTANT_MAX_MS,
      resumeMs: INSTANT_MAX_MS,
    },
  ];
  for (const edge of beyond) expect(codeOf(() => read(forge("BTC-USD", edge)))).toBe("invalid_cursor");
});
