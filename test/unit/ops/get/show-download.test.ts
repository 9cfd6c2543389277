import { expect, test } from "vitest";
import type { Question } from "../../../../ops/get/download-files.ts";
import { figuresOf } from "../../../../ops/get/download-watch.ts";

const question: Question = {
  get: "trades",
  symbol: "BTC-USD",
  from: "2026-11-18T00:00:00.000Z",
  to: "2026-11-28T00:00:00.000Z",
};
const figures = (asked: Question, count: number, reached?: string) =>
  figuresOf({
    question: asked,
    records: () => count,
    reachedMs: () => (reached === undefined ? undefined : Date.parse(reached)),
  });

test("the share of a download is that of its time, and never more than all of it", () => {
  expect(figures(question, 0)).toEqual({ records: "0 trades", instant: "2026-11-28 00:00", share: 0 });
  expect(figures(question, 12_345, "2026-11-23T00:00:00Z")).toEqual({
    records: "12,345 trades",
    instant: "2026-11-23 00:00",
    share: 0.5,
  });
  expect(figures(question, 5, "2026-11-17T23:59:59.999Z")).toMatchObject({
    instant: "2026-11-18 00:00",
    share: 1,
  });
});

test("a limit may be reached before the time is", () => {
  expect(figures({ ...question, limit: 10 }, 9, "2026-11-27T00:00:00Z").share).toBe(0.9);
  expect(figures({ ...question, limit: 10 }, 1, "2026-11-23T00:00:00Z").share).toBe(0.5);
});

test("without a beginning and a limit there is no share", () => {
  const asked: Question = { get: "transactions", to: question.to };
  expect(figures(asked, 7, "2026-11-23T00:00:00Z").share).toBeUndefined();
});
