import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Budget } from "../../../client/src/budget.ts";
import { rateLimitHeaders } from "../../../lib/rate-limit/rate-limit-headers.ts";
import { bucketsOf, charge, type FullAgainAt, waitMs } from "../../../lib/rate-limit/token-bucket.ts";

const LEFT = (left: number, policy = '"second";q=100;w=1') =>
  new Headers({ "RateLimit-Policy": policy, RateLimit: `"second";r=${left};t=1` });

describe("a budget", () => {
  test("lets everything through while nothing is known", () => {
    const budget = new Budget(() => 0);
    expect([budget.reserve(30), budget.reserve(30), budget.reserve(30)]).toEqual([0, 0, 0]);
  });

  test("waits for the tokens that are missing, and for no more", () => {
    let now = 0;
    const budget = new Budget(() => now);
    budget.settle(0, LEFT(10));
    expect(budget.reserve(10)).toBe(0);
    budget.settle(10, LEFT(0));
    expect(budget.reserve(3)).toBe(30);
    now = 30;
    budget.settle(3, LEFT(0));
    now = 55;
    expect(budget.reserve(3)).toBe(5);
  });

  test("never counts on more tokens than a bucket holds", () => {
    let now = 0;
    const budget = new Budget(() => now);
    budget.settle(0, LEFT(100));
    now = 60_000;
    expect(budget.reserve(101)).toBe(10);
  });

  test("makes each request wait behind those that wait", () => {
    const budget = new Budget(() => 0);
    budget.settle(0, LEFT(0));
    expect([budget.reserve(5), budget.reserve(5), budget.reserve(5)]).toEqual([50, 100, 150]);
  });

  test("counts the requests under way as spent when an answer comes", () => {
    const budget = new Budget(() => 0);
    budget.reserve(20);
    budget.reserve(30);
    budget.settle(20, LEFT(80));
    expect(budget.reserve(50)).toBe(0);
    expect(budget.reserve(1)).toBe(10);
  });

  test("gives back what a request without an answer reserved, once another is answered", () => {
    const budget = new Budget(() => 0);
    budget.reserve(90);
    budget.settle(90);
    budget.settle(0, LEFT(90));
    expect(budget.reserve(90)).toBe(0);
  });

  test("waits for the slowest of several buckets", () => {
    const budget = new Budget(() => 0);
    const policy = '"second";q=100;w=1, "minute";q=1000;w=60';
    const headers = { "RateLimit-Policy": policy, RateLimit: '"second";r=99;t=1, "minute";r=4;t=60' };
    budget.settle(0, new Headers(headers));
    expect(budget.reserve(5)).toBe(60);
  });

  test("reads white space between the parts of a header", () => {
    const budget = new Budget(() => 0);
    const headers = { "RateLimit-Policy": '"second" ; q=100 ;  w=1', RateLimit: '"second"; t=1;r=0' };
    budget.settle(0, new Headers(headers));
    expect(budget.reserve(1)).toBe(10);
  });

  test.each([
    ["no header", new Headers()],
    ["no policy", new Headers({ RateLimit: '"second";r=0;t=1' })],
    ["another form", new Headers({ "RateLimit-Policy": "100;w=1", RateLimit: "limit=100, remaining=0" })],
    ["a bucket without tokens", LEFT(0, '"second";q=0;w=1')],
  ])("ignores %s", (_, headers) => {
    const budget = new Budget(() => 0);
    budget.settle(0, headers);
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
        const budget = new Budget(() => now);
        for (const { cost, pauseMs, latencyMs } of requests) {
          now += pauseMs;
          now += budget.reserve(cost);
          now += latencyMs;
          expect(waitMs(buckets, fullAgainAt, now, cost)).toBe(0);
          fullAgainAt = charge(buckets, fullAgainAt, now, cost);
          const headers = new Headers(rateLimitHeaders(buckets, fullAgainAt, now));
          now += latencyMs;
          budget.settle(cost, headers);
        }
      }),
    );
  });
});
