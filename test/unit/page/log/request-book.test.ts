import { describe, expect, test } from "vitest";
import type { LogEvent } from "../../../../local/page/page-questions.ts";
import {
  cleared,
  EMPTY_BOOK,
  heard,
  KEPT_MAX,
  paused,
  type RequestBook,
  resumed,
} from "../../../../page/src/log/request-book.ts";
import { EVERY_REQUEST, isWanted, type RequestFilter } from "../../../../page/src/log/request-filter.ts";

const event = (requestId: string, members: Partial<LogEvent> = {}): LogEvent => ({
  requestId,
  at: 1_795_554_000_000,
  method: "GET",
  target: "/sell-orders/1",
  endpoint: "get-sell-order",
  status: 200,
  tookMs: 3,
  hints: [],
  fault: null,
  error: null,
  ...members,
});

const hearAll = (book: RequestBook, from: number, to: number): RequestBook => {
  let last = book;
  for (let n = from; n <= to; n += 1) last = heard(last, event(`r-${n}`));
  return last;
};
const idsOf = (events: readonly LogEvent[]) => events.map(({ requestId }) => requestId);

describe("the book of requests", () => {
  test("shows the newest first", () => {
    expect(idsOf(hearAll(EMPTY_BOOK, 1, 3).shown)).toEqual(["r-3", "r-2", "r-1"]);
  });

  test("keeps 200, and forgets the oldest", () => {
    const { shown } = hearAll(EMPTY_BOOK, 1, KEPT_MAX + 1);
    expect([shown.length, shown[0]?.requestId, shown.at(-1)?.requestId]).toEqual([200, "r-201", "r-2"]);
  });

  test("has a request that is told twice once", () => {
    const book = heard(hearAll(EMPTY_BOOK, 1, 2), event("r-1"));
    expect(idsOf(book.shown)).toEqual(["r-2", "r-1"]);
    expect(heard(paused(book), event("r-1")).held).toEqual([]);
  });

  test("stands still while it is paused, and loses nothing by it", () => {
    const still = hearAll(paused(hearAll(EMPTY_BOOK, 1, 2)), 3, 4);
    expect(idsOf(still.shown)).toEqual(["r-2", "r-1"]);
    expect(idsOf(still.held)).toEqual(["r-4", "r-3"]);
    expect(resumed(still)).toEqual({ ...hearAll(EMPTY_BOOK, 1, 4) });
    expect(idsOf(heard(resumed(still), event("r-5")).shown)[0]).toBe("r-5");
  });

  test("keeps no more than 200 through a pause", () => {
    const still = hearAll(paused(hearAll(EMPTY_BOOK, 1, 150)), 151, 400);
    expect(still.held).toHaveLength(KEPT_MAX);
    const { shown } = resumed(still);
    expect([shown.length, shown[0]?.requestId, shown.at(-1)?.requestId]).toEqual([200, "r-400", "r-201"]);
  });

  test("is emptied of what is shown, and not of what is held back", () => {
    const still = cleared(hearAll(paused(hearAll(EMPTY_BOOK, 1, 2)), 3, 3));
    expect(still).toMatchObject({ shown: [], isPaused: true });
    expect(idsOf(still.held)).toEqual(["r-3"]);
  });
});

describe("a filter", () => {
  const refused = event("abc-DEF=", {
    status: 401,
    error: "invalid_credentials",
    hints: ["The header is missing."],
    target: "/1.0/trades/all/BTC-USD?limit=1",
    endpoint: "list-trades",
  });
  const reset = event("r-0", { status: 0, fault: "reset", endpoint: null });
  const wants = (filter: Partial<RequestFilter>, one: LogEvent) =>
    isWanted({ ...EVERY_REQUEST, ...filter }, one);

  test("that is empty wants every request", () => {
    expect([refused, reset, event("r")].every((one) => wants({}, one))).toBe(true);
  });

  test.each<readonly [Partial<RequestFilter>, boolean, boolean]>([
    [{ endpoint: "list-trades" }, true, false],
    [{ endpoint: "get-pass" }, false, false],
    [{ status: "4" }, true, false],
    [{ status: "2" }, false, false],
    [{ status: "none" }, false, true],
    [{ text: "btc-usd" }, true, false],
    [{ text: " get /1.0 " }, true, false],
    [{ text: "INVALID_cred" }, true, false],
    [{ text: "header is" }, true, false],
    [{ text: "def=" }, true, false],
    [{ text: "reset" }, false, true],
    [{ text: "401" }, true, false],
    [{ text: "nothing of it" }, false, false],
    [{ status: "4", text: "reset" }, false, false],
    [{ endpoint: "list-trades", status: "5" }, false, false],
  ])("of %j wants the refused request %s, and the reset one %s", (filter, wantsRefused, wantsReset) => {
    expect([wants(filter, refused), wants(filter, reset)]).toEqual([wantsRefused, wantsReset]);
  });
});
