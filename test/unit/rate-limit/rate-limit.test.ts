import { describe, expect, test } from "vitest";
import { Failure } from "../../../lib/errors.ts";
import { RateLimitStore } from "../../../lib/rate-limit/rate-limit-store.ts";
import { bucketsOf } from "../../../lib/rate-limit/token-bucket.ts";
import { NOW } from "../../support/chain.ts";
import { clientOver, storeAnswers, type WireRequest } from "../../support/faulty-store.ts";
import { FailedCall, LimitTable } from "../../support/limit-table.ts";
import { limitOn } from "../../support/limits.ts";

const setUp = () => {
  const table = new LimitTable();
  const clock = { now: NOW };
  const outages: unknown[] = [];
  const limit = limitOn(table, clock, { reportOutage: (error) => outages.push(error) });
  return { table, clock, outages, limit };
};

describe("the exchange's budgets", () => {
  test("four requests of 30 tokens in one millisecond: three pass, the fourth waits 200 ms and costs nothing", async () => {
    const { limit, clock } = setUp();
    const waits = [];
    for (let request = 0; request < 4; request += 1) waits.push((await limit.charge("owner", 30)).waitMs);
    expect(waits).toEqual([0, 0, 0, 200]);
    expect((await limit.charge("owner", 10)).waitMs).toBe(0);
    clock.now += 299;
    expect((await limit.charge("owner", 30)).waitMs).toBe(1);
    clock.now += 1;
    expect((await limit.charge("owner", 30)).waitMs).toBe(0);
  });

  test("the minute's bucket limits what the second's would let through, and its wait is told", async () => {
    const { table, limit, clock } = setUp();
    for (let request = 0; request < 10; request += 1, clock.now += 1_000)
      await limit.charge("owner", 100 - 70);
    for (let request = 0; request < 100; request += 1, clock.now += 300) await limit.charge("owner", 30);
    const { waitMs, headers } = await limitOn(table, clock).charge("owner", 30);
    expect(waitMs).toBeGreaterThan(0);
    expect(headers.RateLimit).toMatch(/"second";r=100;t=0/);
  });

  test("owners, and limits of another name, do not share tokens", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 3; request += 1) await limit.charge("owner", 30);
    expect((await limit.charge("other", 30)).waitMs).toBe(0);
    expect((await limitOn(table, clock, { name: "other" }).charge("owner", 30)).waitMs).toBe(0);
    expect([...table.items.keys()].sort()).toEqual(["exchange#other", "exchange#owner", "other#owner"]);
  });
});

describe("writes", () => {
  test("an admitted request costs one write when the state is known, at most three when it is not", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 20; request += 1, clock.now += 35) await limit.charge("owner", 2);
    expect(table.attempts).toBe(20);
    table.attempts = 0;
    await limitOn(table, clock).charge("owner", 2);
    expect(table.attempts).toBeLessThanOrEqual(3);
  });

  test("an owner that comes back inside its wait is refused without a write, for as long as that very request must wait", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 4; request += 1) await limit.charge("owner", 30);
    const before = table.attempts;
    clock.now += 50;
    expect((await limit.charge("owner", 30)).waitMs).toBe(150);
    expect((await limit.charge("owner", 20)).waitMs).toBe(50);
    expect(table.attempts).toBe(before);
    expect((await limit.charge("owner", 15)).waitMs).toBe(0);
    expect(table.attempts).toBe(before + 1);
  });

  test("after four such requests the rest of a block is told, and then the store is asked again", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 101; request += 1) await limit.charge("owner", 1);
    const before = table.attempts;
    const waits = [];
    for (let request = 0; request < 5; request += 1) waits.push((await limit.charge("owner", 1)).waitMs);
    expect(waits).toEqual([10, 10, 10, 50, 50]);
    expect(limit.headersOf("owner").RateLimit).toBe('"second";r=0;t=1, "minute";r=0;t=6');
    clock.now += 49;
    expect((await limit.charge("owner", 1)).waitMs).toBe(1);
    expect(table.attempts).toBe(before);
    clock.now += 1;
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(table.attempts).toBe(before + 1);
  });
});

describe("a clock that is set back", () => {
  test("ends the waits and blocks that were noted by it", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 105; request += 1) await limit.charge("owner", 1);
    clock.now -= 3_600_000;
    const before = table.attempts;
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(table.attempts).toBeGreaterThan(before);
  });

  test("by a millisecond ends them too, and the store decides the wait", async () => {
    const { table, clock, limit } = setUp();
    for (let request = 0; request < 105; request += 1) await limit.charge("owner", 1);
    clock.now -= 1;
    const before = table.attempts;
    expect((await limit.charge("owner", 1)).waitMs).toBe(11);
    expect(table.attempts).toBeGreaterThan(before);
  });

  test("ends the second in which the store is not asked, even when it was ahead only for a moment", async () => {
    const { table, clock, limit } = setUp();
    table.failures.push(new FailedCall("connection"), new FailedCall("throttled-key"));
    const original = table.charge.bind(table);
    table.charge = async (...attempt) => {
      clock.now += 86_400_000;
      return original(...attempt);
    };
    await expect(limit.charge("owner", 1)).rejects.toMatchObject({ retryAfterMs: 1_000 });
    clock.now = NOW;
    table.charge = original;
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
  });
});

describe("the headers tell what is known", () => {
  test("of an unknown owner the policy alone, of a known one what is left now", async () => {
    const { clock, limit } = setUp();
    expect(limit.headersOf("owner")).toEqual({
      "RateLimit-Policy": '"second";q=100;w=1, "minute";q=1000;w=60',
    });
    expect(limit.headersOf(undefined)).not.toHaveProperty("RateLimit");
    await limit.charge("owner", 30);
    clock.now += 100;
    expect(limit.headersOf("owner").RateLimit).toBe('"second";r=80;t=1, "minute";r=971;t=2');
  });
});

describe("when the store fails", () => {
  test("a connection error is retried once, with the time of the retry", async () => {
    const { table, clock, limit, outages } = setUp();
    table.failures.push(new FailedCall("connection"));
    const original = table.charge.bind(table);
    const times: number[] = [];
    table.charge = async (key, buckets, charge) => {
      times.push(charge.now);
      clock.now += 100;
      return original(key, buckets, charge);
    };
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(times).toEqual([NOW, NOW + 100]);
    expect(outages).toEqual([]);
  });

  test("a timeout is not retried: the charge may have been made", async () => {
    const { table, limit, outages } = setUp();
    table.failures.push(new FailedCall("down"));
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(table.attempts).toBe(1);
    expect(outages).toHaveLength(1);
  });

  test("each instance admits a full burst and then a tenth of the refill, and reports it", async () => {
    const { table, clock, limit, outages } = setUp();
    table.failures.push(...Array.from({ length: 300 }, () => new FailedCall("down")));
    for (let request = 0; request < 100; request += 1)
      expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    const refused = await limit.charge("owner", 1);
    expect(refused.waitMs).toBe(100);
    expect(refused.headers.RateLimit).toMatch(/"second";r=0;/);
    clock.now += 99;
    expect((await limit.charge("owner", 1)).waitMs).toBe(1);
    clock.now += 1;
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(outages).toHaveLength(103);
    table.failures.length = 0;
    expect((await limit.charge("owner", 30)).waitMs).toBe(0);
  });

  test("two connection errors in a row count as an outage", async () => {
    const { table, limit, outages } = setUp();
    table.failures.push(new FailedCall("connection"), new FailedCall("connection"));
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    expect(table.attempts).toBe(2);
    expect(outages).toHaveLength(1);
  });

  test("an item that is written too often is left alone for a second: 503 with the rest of it, for this owner only", async () => {
    const { table, clock, limit } = setUp();
    table.failures.push(new FailedCall("throttled-key"));
    const refusal = async () => limit.charge("owner", 1).catch((error: unknown) => error);
    expect(await refusal()).toMatchObject({ code: "temporarily_unavailable", retryAfterMs: 1_000 });
    clock.now += 400;
    const attempts = table.attempts;
    expect(await refusal()).toMatchObject({ code: "temporarily_unavailable", retryAfterMs: 600 });
    expect(table.attempts).toBe(attempts);
    expect((await limit.charge("other", 1)).waitMs).toBe(0);
    clock.now += 600;
    expect((await limit.charge("owner", 1)).waitMs).toBe(0);
  });

  test("a fault of ours is thrown as it is, and admits nobody", async () => {
    const { table, limit, outages } = setUp();
    const fault = new FailedCall(undefined);
    table.failures.push(fault);
    await expect(limit.charge("owner", 1)).rejects.toBe(fault);
    expect(fault).not.toBeInstanceOf(Failure);
    expect(outages).toEqual([]);
  });
});

const KEY = "exchange#owner";

/** An owner who has spent all but `left` tokens of the second, and a clock that stands still. */
const setUpWith = (left: number) => {
  const { table, clock, limit } = setUp();
  table.items.set(KEY, { second: NOW + 10 * (100 - left), minute: NOW });
  return { table, clock, limit };
};

describe("inside a wait that was told to a dear request", () => {
  test("cheap ones that can be paid pass, however many come, and none is held against their owner", async () => {
    const { limit, clock } = setUpWith(20);
    expect((await limit.charge("owner", 30)).waitMs).toBe(100);
    for (let request = 0; request < 10; request += 1) expect((await limit.charge("owner", 1)).waitMs).toBe(0);
    clock.now += 200;
    expect((await limit.charge("owner", 30)).waitMs).toBe(0);
  });

  test("the dear one is still refused without a write after a cheap one has passed", async () => {
    const { limit, table } = setUpWith(20);
    await limit.charge("owner", 30);
    await limit.charge("owner", 1);
    const before = table.attempts;
    expect((await limit.charge("owner", 30)).waitMs).toBe(110);
    expect(table.attempts).toBe(before);
  });
});

describe("the very moment at which a wait is over", () => {
  test("belongs to those who kept it: the store is asked, be the request dearer than the one that was told", async () => {
    const { limit, table, clock } = setUpWith(0);
    expect((await limit.charge("owner", 1)).waitMs).toBe(10);
    clock.now += 10;
    const before = table.attempts;
    expect((await limit.charge("owner", 30)).waitMs).toBe(290);
    expect(table.attempts).toBe(before + 1);
  });

  test("ends a block, and what comes then is not counted among those that came too early", async () => {
    const { limit, clock } = setUpWith(0);
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
    const { limit, table } = setUpWith(50);
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
    const { limit, table } = setUpWith(0);
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

const buckets = bucketsOf([{ name: "second", burst: 10, refillTokens: 10, refillWindowMs: 1_000 }], 1);

test.each([
  ["the state that made it fail", { k: { S: "k" }, t_second: { N: String(NOW + 5) } }, NOW + 5],
  ["full buckets where there was no item", undefined, 0],
])("a charge whose condition fails costs one call and shows %s", async (_what, item, second) => {
  const asked: WireRequest[] = [];
  const client = clientOver((request) => {
    asked.push(request);
    return storeAnswers.conditionFailed(item);
  });
  const store = new RateLimitStore({ client, name: "RateLimits" });
  const charged = await store.charge("k", buckets, { now: NOW, cost: 1, busy: new Set() });
  expect(charged).toEqual({ charged: false, fullAgainAt: { second } });
  expect(asked.map(({ operation }) => operation)).toEqual(["UpdateItem"]);
});

test.each([
  ["an empty object", { status: 200, body: "{}" }],
  ["an empty body", { status: 200, body: "" }],
  ["no content", { status: 204, body: "" }],
])("an answer of %s does not prove a charge, and counts as a store that is down", async (_, wire) => {
  const store = new RateLimitStore({ client: clientOver(() => wire), name: "RateLimits" });
  const error = await store
    .charge("k", buckets, { now: NOW, cost: 1, busy: new Set() })
    .catch((caught: unknown) => caught);
  expect(store.failureOf(error)).toBe("down");
});
