import { describe, expect, test } from "vitest";
import { NOW } from "../../support/chain.ts";
import { LimitTable } from "../../support/limit-table.ts";
import { limitOn } from "../../support/limits.ts";

const KEY = "exchange#owner";

/** An owner who has spent all but `left` tokens of the second, and a clock that stands still. */
const setUp = (left: number) => {
  const table = new LimitTable();
  const clock = { now: NOW };
  table.items.set(KEY, { second: NOW + 10 * (100 - left), minute: NOW });
  return { table, clock, limit: limitOn(table, clock) };
};

describe("inside a wait that was told to a dear request", () => {
  test("cheap ones that can be paid pass, however many come, and none is held against their owner", async () => {
    const { limit, clock } = setUp(20);
    expect((await limit.charge("owner", 30)).waitMs).toBe(100);
    for (let request = 0; request < 10; request += 1) expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    clock.now += 200;
    expect((await limit.charge("owner", 30)).waitMs).toBe(0);
  });

  test("the dear one is still refused without a write after a cheap one has passed", async () => {
    const { limit, table } = setUp(20);
    await limit.charge("owner", 30);
    await limit.charge("owner", 1);
    const before = table.attempts;
    expect((await limit.charge("owner", 30)).waitMs).toBe(110);
    expect(table.attempts).toBe(before);
  });
});

describe("the very moment at which a wait is over", () => {
  test("belongs to those who kept it: the store is asked, be the request dearer than the one that was told", async () => {
    const { limit, table, clock } = setUp(0);
    expect((await limit.charge("owner", 1)).waitMs).toBe(10);
    clock.now += 10;
    const before = table.attempts;
    expect((await limit.charge("owner", 30)).waitMs).toBe(290);
    expect(table.attempts).toBe(before + 1);
  });

  test("ends a block, and what comes then is not counted among those that came too early", async () => {
    const { limit, clock } = setUp(0);
    const charge = async () => (await limit.charge("owner", 30)).waitMs;
    const waits = [];
    for (let request = 0; request < 5; request += 1) waits.push(await charge());
    expect(waits).toEqual([300, 300, 300, 300, 300]);
    clock.now += 50;
    expect((await limit.charge("owner", 5)).waitMs).toBe(0);
    clock.now += 1;
    const headers = limit.headersOf("owner");
    for (let request = 0; request < 3; request += 1) expect(await charge()).toBe(299);
    expect(limit.headersOf("owner")).toEqual(headers);
  });
});

describe("a state that others change between two writes of one decision", () => {
  test("is met with one write more for each bucket, and the request is charged", async () => {
    const { limit, table } = setUp(50);
    let writes = 0;
    table.pause = async () => {
      writes += 1;
      if (writes === 2) table.items.set(KEY, { second: NOW + 500, minute: NOW + 60 });
    };
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(table.attempts).toBe(3);
    expect(table.items.get(KEY)).toEqual({ second: NOW + 510, minute: NOW + 120 });
  });

  test("and that never agrees with what was just seen is left alone for a second", async () => {
    const { limit, table } = setUp(0);
    table.charge = async () => {
      table.attempts += 1;
      return { charged: false, fullAgainAt: {} };
    };
    await expect(limit.charge("owner", 1)).rejects.toMatchObject({
      code: "temporarily_unavailable",
      message: "The limit's item is written too often.",
      retryAfterMs: 1_000,
    });
    expect(table.attempts).toBe(3);
  });
});
