import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../lib/errors.ts";
import {
  type Continuation,
  readCursor,
  requireSameDates,
  windowOfCursor,
  writeCursor,
} from "../../../lib/trades/cursor.ts";
import { idOf, NOW } from "../../support/trades.ts";

const DAY_MS = 86_400_000;
const continuation: Continuation = {
  window: { startMs: NOW - 7 * DAY_MS, endMs: NOW },
  position: { tradedAt: NOW - DAY_MS, id: idOf(1) },
  resumeAt: { tradedAt: NOW - DAY_MS + 1_500, id: idOf(2) },
  yield: 60,
};
const cursor = writeCursor("BTC-USD", continuation);

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as Failure).code;
  }
  return "accepted";
};

/** A cursor that somebody makes who has read how they are made. */
function forge(
  symbol: string,
  changes: {
    startMs?: number;
    endMs?: number;
    tradedAt?: number;
    resumeMs?: number;
    version?: number;
    gave?: number;
  },
): string {
  const bytes = Buffer.from(cursor, "base64url").subarray(0, 66);
  if (changes.version !== undefined) bytes.writeUInt8(changes.version, 0);
  if (changes.gave !== undefined) bytes.writeUInt8(changes.gave, 1);
  const at = { startMs: 2, endMs: 10, tradedAt: 18, resumeMs: 42 } as const;
  for (const [name, offset] of Object.entries(at)) {
    const value = changes[name as keyof typeof at];
    if (value !== undefined) bytes.writeBigInt64BE(BigInt(value), offset);
  }
  const checksum = createHash("sha256").update(`${symbol}\n`).update(bytes).digest().subarray(0, 6);
  return Buffer.concat([bytes, checksum]).toString("base64url");
}

test("a cursor carries its window, its position and where reading goes on", () => {
  expect(readCursor("BTC-USD", cursor)).toEqual(continuation);
  expect(windowOfCursor(cursor)).toEqual(continuation.window);
});

test("it passes through a query unencoded", () => {
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{96}$/);
});

test("one of another symbol is refused", () => {
  expect(codeOf(() => readCursor("ETH-USD", cursor))).toBe("invalid_cursor");
});

test("any other text is refused, and never a fault", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]{96}$/)),
      (text) => {
        expect(codeOf(() => readCursor("BTC-USD", text))).toBe("invalid_cursor");
      },
    ),
  );
});

test("each changed letter is noticed", () => {
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = `${cursor.slice(0, at)}${cursor[at] === "A" ? "B" : "A"}${cursor.slice(at + 1)}`;
    expect(codeOf(() => readCursor("BTC-USD", changed))).toBe("invalid_cursor");
  }
});

test("the same bytes in another spelling are refused", () => {
  const spellings = [
    `${cursor}=`,
    ` ${cursor}`,
    cursor.slice(0, -1),
    Buffer.from(cursor, "base64url").toString("base64url").concat("A"),
  ];
  for (const spelling of spellings)
    expect(codeOf(() => readCursor("BTC-USD", spelling))).toBe("invalid_cursor");
});

describe("a forged one with a right checksum is refused when it says what no query could ask for", () => {
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
    ["another version", { version: 2 }],
    ["segments that give nothing", { gave: 0 }],
    ["segments that give more than they hold", { gave: 251 }],
  ])("%s", (_, changes) => {
    expect(codeOf(() => readCursor("BTC-USD", forge("BTC-USD", changes)))).toBe("invalid_cursor");
  });

  test("and one that keeps the rules is as good as a query", () => {
    expect(
      codeOf(() =>
        readCursor("BTC-USD", forge("BTC-USD", { tradedAt: NOW - 2 * DAY_MS, resumeMs: NOW - 2 * DAY_MS })),
      ),
    ).toBe("accepted");
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
