import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Budget, type Reservation } from "../../../client/src/budget.ts";
import { rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf, charge, type FullAgainAt, waitMs } from "../../../lib/rate-limit/token-bucket.ts";

/** A budget whose reservations are told as the waits that they begin with, and settled in their order. */
function begin(now: () => number = () => 0) {
  const budget = new Budget(now);
  const open: Reservation[] = [];
  const answered = (headers: Headers, status = 200) => ({ headers, status });
  return {
    budget,
    reserve(cost: number): number {
      const reservation = budget.reserve(cost);
      open.push(reservation);
      return budget.waitMs(reservation);
    },
    /** Settles the oldest reservation. */
    settle: (headers?: Headers) =>
      budget.settle(open.shift() ?? budget.reserve(0), headers && answered(headers)),
    /** An answer to another request. */
    hear: (headers: Headers, status?: number) => budget.settle(budget.reserve(0), answered(headers, status)),
    /** Gives up the newest reservation. */
    giveUp: () => budget.release(open.pop() ?? budget.reserve(0)),
  };
}

const LEFT = (left: number, policy = '"second";q=100;w=1') =>
  new Headers({ "RateLimit-Policy": policy, RateLimit: `"second";r=${left};t=1` });

const rest = (name: string, left: number) => ({
  "RateLimit-Policy": `"${name}";q=40;w=2`,
  RateLimit: `"${name}";r=${left};t=2`,
});

describe("a budget", () => {
  test("lets everything through while nothing is known", () => {
    const budget = begin();
    expect([budget.reserve(30), budget.reserve(30), budget.reserve(30)]).toEqual([0, 0, 0]);
  });

  test("waits for the tokens that are missing, and for no more", () => {
    let now = 0;
    const budget = begin(() => now);
    budget.hear(LEFT(10));
    expect(budget.reserve(10)).toBe(0);
    budget.settle(LEFT(0));
    expect(budget.reserve(3)).toBe(30);
    now = 30;
    budget.settle(LEFT(0));
    now = 55;
    expect(budget.reserve(3)).toBe(5);
  });

  test("never counts on more tokens than a bucket holds", () => {
    let now = 0;
    const budget = begin(() => now);
    budget.hear(LEFT(100));
    now = 60_000;
    expect(budget.reserve(101)).toBe(10);
  });

  test("makes each request wait behind those that wait", () => {
    const budget = begin();
    budget.hear(LEFT(0));
    expect([budget.reserve(5), budget.reserve(5), budget.reserve(5)]).toEqual([50, 100, 150]);
  });

  test("counts the requests under way as spent when an answer comes", () => {
    const budget = begin();
    budget.reserve(20);
    budget.reserve(30);
    budget.settle(LEFT(80));
    expect(budget.reserve(50)).toBe(0);
    expect(budget.reserve(1)).toBe(10);
  });

  test("gives back what a request without an answer reserved, once another is answered", () => {
    const budget = begin();
    budget.reserve(90);
    budget.settle();
    budget.hear(LEFT(90));
    expect(budget.reserve(90)).toBe(0);
  });

  test("waits for the slowest of several buckets", () => {
    const budget = begin();
    const policy = '"second";q=100;w=1, "minute";q=1000;w=60';
    const headers = { "RateLimit-Policy": policy, RateLimit: '"second";r=99;t=1, "minute";r=4;t=60' };
    budget.hear(new Headers(headers));
    expect(budget.reserve(5)).toBe(60);
  });

  test("reads white space between the parts of a header", () => {
    const budget = begin();
    const headers = { "RateLimit-Policy": '"second" ; q=100 ;  w=1', RateLimit: '"second"; t=1;r=0' };
    budget.hear(new Headers(headers));
    expect(budget.reserve(1)).toBe(10);
  });

  test("gives the tokens of requests that were given up to those that wait already, and where an answer came meanwhile", () => {
    const { budget, hear } = begin();
    hear(LEFT(0));
    const [first, second] = [budget.reserve(5), budget.reserve(5)];
    hear(LEFT(2));
    expect([first, second].map((reservation) => budget.waitMs(reservation))).toEqual([30, 80]);
    budget.release(first);
    budget.release(first);
    expect(budget.waitMs(second)).toBe(30);
  });

  const day = (left: number) => LEFT(left, '"second";q=10;w=86400');
  test.each([
    ["a bucket that is gone", [day(0), new Headers(rest("ramp", 39))], 0],
    ["another bucket in place of two", [new Headers(rest("a", 0)), new Headers(rest("b", 0))], 50],
    ["a limit that is gone", [day(0), new Headers()], 0],
    ["a limit that cannot be read any more", [day(0), new Headers({ "RateLimit-Policy": "none" })], 0],
    ["more tokens in the same time", [LEFT(0), LEFT(0, '"second";q=1000;w=1')], 1],
    ["fewer tokens in the same time", [LEFT(0), LEFT(0, '"second";q=10;w=1')], 100],
    ["the same tokens in a longer time", [LEFT(0), LEFT(0, '"second";q=100;w=60')], 600],
    ["a smaller bucket", [LEFT(100), LEFT(5, '"second";q=5;w=1')], 0],
  ])("follows a limit that changes: %s", (_, told, wait) => {
    const budget = begin();
    for (const headers of told) budget.hear(headers);
    expect(budget.reserve(1)).toBe(wait);
  });

  test("keeps what it knows after an answer that says nothing of the limit", () => {
    const budget = begin();
    budget.hear(LEFT(0));
    budget.hear(new Headers(), 503);
    expect(budget.reserve(1)).toBe(10);
  });

  test.each([
    ["no header", new Headers()],
    ["no policy", new Headers({ RateLimit: '"second";r=0;t=1' })],
    ["another form", new Headers({ "RateLimit-Policy": "100;w=1", RateLimit: "limit=100, remaining=0" })],
    ["a bucket without tokens", LEFT(0, '"second";q=0;w=1')],
    ["a bucket without a time", LEFT(0, '"second";q=5;w=0')],
    ["more digits than a number has", LEFT(0, `"second";q=${"9".repeat(400)};w=${"9".repeat(400)}`)],
  ])("ignores %s", (_, headers) => {
    const budget = begin();
    budget.hear(headers);
    expect(budget.reserve(30)).toBe(0);
  });

  test("that is alone never asks for more than the service has, whatever the costs and the pauses are", () => {
    const buckets = bucketsOf(
      [
        { name: "second", burst: 100, refillTokens: 100, refillWindowMs: 1_000 },
        { name: "minute", burst: 1_000, refillTokens: 1_000, refillWindowMs: 60_000 },
      ],
      30,
    );
    const request = fc.record({
      cost: fc.integer({ min: 1, max: 30 }),
      pauseMs: fc.constantFrom(0, 1, 50, 3_000),
      latencyMs: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 80 }), (requests) => {
        let now = 1_000_000;
        let fullAgainAt: FullAgainAt = {};
        const budget = begin(() => now);
        for (const { cost, pauseMs, latencyMs } of requests) {
          now += pauseMs;
          now += budget.reserve(cost);
          now += latencyMs;
          expect(waitMs(buckets, fullAgainAt, now, cost)).toBe(0);
          fullAgainAt = charge(buckets, fullAgainAt, now, cost);
          const headers = new Headers(rateLimitHeaders(buckets, fullAgainAt, now));
          now += latencyMs;
          budget.settle(headers);
        }
      }),
    );
  });

  test("waits no longer than the service says, once an answer has told of the limit that there is", () => {
    const bucket = fc.record({
      name: fc.constantFrom("a", "b"),
      burst: fc.integer({ min: 5, max: 40 }),
      refillTokens: fc.constant(1),
      refillWindowMs: fc.integer({ min: 1, max: 5_000 }),
    });
    const limit = fc.uniqueArray(bucket, { maxLength: 2, selector: ({ name }) => name });
    const request = fc.record({ cost: fc.integer({ min: 1, max: 5 }), isGivenUp: fc.boolean() });
    const phase = fc.record({ limit, requests: fc.array(request, { minLength: 2, maxLength: 12 }) });
    fc.assert(
      fc.property(fc.array(phase, { maxLength: 5 }), (phases) => {
        let now = 1_000_000;
        const budget = begin(() => now);
        for (const phase of phases) {
          const buckets = bucketsOf(phase.limit, 5);
          const slowestMs = Math.max(0, ...buckets.map(({ tokenMs }) => tokenMs));
          let fullAgainAt: FullAgainAt = {};
          for (const [at, { cost, isGivenUp }] of phase.requests.entries()) {
            const wait = budget.reserve(cost);
            const isTold = at > 0 && !phase.requests.slice(0, at).every((earlier) => earlier.isGivenUp);
            // The header has whole tokens and whole seconds.
            if (isTold)
              expect(wait).toBeLessThanOrEqual(
                waitMs(buckets, fullAgainAt, now, cost) * 2 + slowestMs + 1_000,
              );
            if (isGivenUp) {
              budget.giveUp();
              continue;
            }
            now += isTold ? wait : waitMs(buckets, fullAgainAt, now, cost);
            fullAgainAt = charge(buckets, fullAgainAt, now, cost);
            budget.settle(
              new Headers(buckets.length === 0 ? {} : rateLimitHeaders(buckets, fullAgainAt, now)),
            );
          }
        }
      }),
    );
  });
});
