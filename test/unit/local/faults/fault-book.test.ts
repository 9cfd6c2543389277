import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FaultBook, type FaultOrder } from "../../../../local/faults/fault-book.ts";

const ROUTE = "GET /orders/{id}";
const always: FaultOrder = { routeKey: ROUTE, fault: "503", oneIn: 1, seed: 1, delayMs: 0 };

/** A book with one order, and a clock that a test sets. */
function bookWith(order: Partial<FaultOrder> = {}) {
  const time = { ms: 1_000 };
  const book = new FaultBook(() => time.ms);
  book.add({ ...always, ...order });
  return { book, time };
}

const meetsOf = (book: FaultBook, requests: number): boolean[] =>
  Array.from({ length: requests }, () => book.meet(ROUTE) !== undefined);

describe("an order of a fault", () => {
  it("meets every request of its route, and none of another", () => {
    const { book } = bookWith();
    expect(meetsOf(book, 3)).toEqual([true, true, true]);
    expect(book.meet("GET /orders")).toBeUndefined();
    expect(book.list()).toMatchObject([{ hits: 3, state: "on" }]);
  });

  it("with a number of times meets exactly so many requests", () => {
    const { book } = bookWith({ times: 2 });
    expect(meetsOf(book, 3)).toEqual([true, true, false]);
    expect(book.list()).toMatchObject([{ hits: 2, state: "used up" }]);
  });

  it("stays on when its only hit is taken back", () => {
    const { book } = bookWith({ times: 1 });
    book.meet(ROUTE)?.takeBack();
    expect(book.list()).toMatchObject([{ hits: 0, state: "on" }]);
    expect(meetsOf(book, 2)).toEqual([true, false]);
  });

  it("lasts as long as it was ordered for, to the millisecond", () => {
    const { book, time } = bookWith({ forMs: 500 });
    time.ms = 1_499;
    expect(meetsOf(book, 1)).toEqual([true]);
    time.ms = 1_500;
    expect(meetsOf(book, 1)).toEqual([false]);
    expect(book.list()).toMatchObject([{ state: "over", untilMs: 1_500 }]);
  });

  it("replaces an order of the same fault, and stands behind one of another", () => {
    const { book } = bookWith({ times: 1 });
    book.add({ ...always, fault: "cut" });
    book.add({ ...always, times: 2 });
    expect(book.list()).toMatchObject([{ fault: "cut" }, { fault: "503", hits: 0, times: 2 }]);
    expect(book.meet(ROUTE)?.order.fault).toBe("cut");
  });

  it("is forgotten once its route is cleared, and no sooner", () => {
    const { book } = bookWith();
    expect(book.clear(["GET /orders"])).toBe(0);
    expect(book.clear([ROUTE])).toBe(1);
    expect([book.meet(ROUTE), book.list()]).toEqual([undefined, []]);
  });
});

test("one request in N is met: about as often as it says, the same ones for a seed, others for another", () => {
  const drawn = (seed: number): boolean[] => meetsOf(bookWith({ oneIn: 20, seed }).book, 2_000);
  const hits = drawn(1).filter(Boolean).length;
  expect(hits).toBeGreaterThan(60);
  expect(hits).toBeLessThan(140);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(2)).not.toEqual(drawn(1));
});

test("whatever is drawn and taken back, no more requests are met at last than were ordered", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.boolean(), { maxLength: 40 }),
      (times, oneIn, takenBack) => {
        const { book } = bookWith({ times, oneIn });
        let kept = 0;
        for (const isTakenBack of takenBack) {
          const hit = book.meet(ROUTE);
          if (hit === undefined) continue;
          if (isTakenBack) hit.takeBack();
          else kept += 1;
        }
        expect(kept).toBeLessThanOrEqual(times);
        expect(book.list()).toMatchObject([{ hits: kept }]);
      },
    ),
  );
});
