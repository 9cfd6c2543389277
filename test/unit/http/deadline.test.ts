import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ANSWER_MS, deadlineSignal } from "../../../lib/deadline.ts";
import type { HttpResponse } from "../../../lib/http/respond.ts";
import { contextWith, sampleChain, sampleEvent } from "../../support/chain.ts";

const realTimers = { setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout };

// The chain takes its timers from `node:timers`, so the hand-driven timers replace those too.
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(timers, { setTimeout, clearTimeout });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(timers, realTimers);
  syncBuiltinESMExports();
});

const policy = { "RateLimit-Policy": '"sample"' };
const steps = ["switch", "credentials", "plan", "charge", "answer"] as const;
type StepName = (typeof steps)[number];

/** A chain in which one step waits until it is released, and the steps that have begun. */
function stalledChain(stalled: StepName | undefined) {
  const begun: StepName[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const step = async <Result>(name: StepName, result: Result): Promise<Result> => {
    begun.push(name);
    signals.push(deadlineSignal());
    if (name === stalled) await promise;
    return result;
  };
  const chain = sampleChain({
    switches: { get: () => step("switch", { on: true } as const) },
    authenticate: () => step("credentials", { owner: "owner-1", scopes: ["samples.read"] }),
    plan: () => step("plan", { cost: 1, answer: () => step("answer", { body: '{"sample":true}' }) }),
    limiter: {
      charge: () => step("charge", { waitMs: 0, headers: policy }),
      headersOf: () => policy,
    },
  });
  return { ...chain, begun, signals, release };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The answers so far: none while the chain waits. */
function answersOf(...responses: Promise<HttpResponse>[]): HttpResponse[] {
  const answers: HttpResponse[] = [];
  for (const response of responses) void response.then((answer) => answers.push(answer));
  return answers;
}

describe.each(steps)("a stall of the step %s", (stalled) => {
  test("is answered with a complete 503 before Lambda's own limit", async () => {
    const { call, lines, signals } = stalledChain(stalled);
    const headers = { authorization: "Bearer good", "request-id": "r-1" };
    const answers = answersOf(call(sampleEvent({ headers }), contextWith(3_000)));
    await pass(3_000 - ANSWER_MS - 1);
    expect(answers).toEqual([]);
    expect(signals.map((signal) => signal?.aborted)).not.toContain(true);
    await pass(1);
    expect(answers).toMatchObject([
      { statusCode: 503, headers: { "Retry-After": "1", "Request-Id": "r-1", ...policy } },
    ]);
    const body = JSON.parse(answers[0]?.body ?? "");
    expect(body).toMatchObject({ code: "temporarily_unavailable", retry_after_ms: 1_000 });
    expect(lines).toMatchObject([{ status: 503, error_id: body.error_id, code: "temporarily_unavailable" }]);
    expect(signals.map((signal) => signal?.aborted)).not.toContain(false);
  });

  test("that ends after the answer begins no other step, and writes no second log line", async () => {
    const { call, lines, begun, release } = stalledChain(stalled);
    const answers = answersOf(call(sampleEvent(), contextWith(3_000)));
    await pass(3_000 - ANSWER_MS);
    expect(answers).toHaveLength(1);
    const begunBefore = [...begun];
    release();
    await pass(10_000);
    expect(begun).toEqual(begunBefore);
    expect(lines).toHaveLength(1);
  });

  test.each([60, ANSWER_MS, 1, 0])("is answered at once when only %i ms are left", async (remainingMs) => {
    const answers = answersOf(stalledChain(stalled).call(sampleEvent(), contextWith(remainingMs)));
    await pass(1);
    expect(answers).toMatchObject([{ statusCode: 503 }]);
  });
});

test("an answer in time leaves no deadline behind, and its signal stays as it was", async () => {
  const { call, lines, signals, begun } = stalledChain(undefined);
  expect((await call(sampleEvent(), contextWith(3_000))).statusCode).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
  expect(begun).toEqual(steps);
  expect(signals.map((signal) => signal?.aborted)).toEqual(steps.map(() => false));
  expect(lines).toHaveLength(1);
});

test("two requests at once each have a deadline of their own", async () => {
  const { call, signals } = stalledChain("answer");
  const answers = answersOf(...[1_000, 9_000].map((left) => call(sampleEvent(), contextWith(left))));
  await pass(1_000 - ANSWER_MS);
  expect(answers).toHaveLength(1);
  expect(new Set(signals).size).toBe(2);
  expect(signals.filter((signal) => signal?.aborted === true)).toHaveLength(steps.length);
});

test("outside of a request there is no deadline", () => {
  expect(deadlineSignal()).toBeUndefined();
});
