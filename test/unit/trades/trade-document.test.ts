import { describe, expect, test } from "vitest";
import { marketOf } from "../../../lib/markets/market.ts";
import { tradeDocumentReader } from "../../../lib/trades/trade-document.ts";
import { PrintIds } from "../../../ops/import/trades/print-ids.ts";
import { NOW } from "../../support/trades.ts";

const SYMBOL = "BTC-USD";
const ID = "0123456789abcdef0123456789abcdef";
const market = marketOf(SYMBOL);

const readerOf = () => tradeDocumentReader({ symbol: SYMBOL, market, venue: "VENU", ids: new PrintIds() });

/** The text of a trade that is right unless `members` spoil it; `undefined` takes a member out. */
const documentOf = (members: Record<string, unknown> = {}): string =>
  JSON.stringify({ tdt: NOW, p: "100.00", q: "0.10", tid: ID, ...members });

const read = (members: Record<string, unknown> = {}) => readerOf()(documentOf(members));
const reasonOf = (members: Record<string, unknown>): string => {
  const checked = read(members);
  return checked.ok ? "accepted" : checked.reason;
};

describe("a trade's document", () => {
  test("is read to the letter, published when it was made unless it says otherwise", () => {
    const trade = { tradedAt: NOW, publishedAt: NOW, price: "100.00", quantity: "0.10", id: ID };
    expect(read()).toEqual({ ok: true, value: trade });
    expect(read({ pdt: NOW + 5, s: "sell" })).toEqual({
      ok: true,
      value: { ...trade, publishedAt: NOW + 5, side: "sell" },
    });
    expect(read({ pdt: null, s: null })).toEqual({ ok: true, value: trade });
  });

  test("may repeat the market's constants and the venue, or leave them out", () => {
    const { aid, anm, pc, pn, qc, qn } = market;
    expect(read({ aid, anm, pc, pn, qc, qn, ve: "VENU", vp: "VENU" })).toEqual(read());
    expect(read({ aid: null, anm: "", pc: null, vp: "" })).toEqual(read());
    expect(read({ anm: "Another name" })).toEqual(read());
  });

  test.each(["aid", "pc", "pn", "qc", "qn", "ve", "vp"] as const)("with another %s is refused", (member) => {
    const right = member === "ve" || member === "vp" ? "VENU" : market[member];
    expect(reasonOf({ [member]: "OTHER" })).toBe(
      `${member} must be "${right}", as everywhere in this market`,
    );
  });

  test.each([
    ["tdt", undefined, "tdt is required"],
    ["tdt", "1795554000000", "tdt must be whole epoch milliseconds"],
    ["tdt", 1.5, "tdt must be whole epoch milliseconds"],
    ["tdt", -1, "tdt must be whole epoch milliseconds"],
    ["tdt", 8_640_000_000_000_001, "tdt must be whole epoch milliseconds from 0 to 8640000000000000"],
    ["pdt", true, "pdt must be whole epoch milliseconds"],
    ["p", 100, 'p must be a string of plain digits, such as "100.00"'],
    ["q", undefined, 'q must be a string of plain digits, such as "100.00"'],
    ["q", "-1", "q must not be negative: the side of a trade has its own member"],
    ["p", "1e5", "p must be written in plain digits, without an exponent"],
    ["s", "BUY", "s must be one of buy, sell"],
    ["tid", "x", "tid must be 32 lower-case hex digits, a UUID, or a number of at most 32 digits"],
    ["tid", true, "tid must be 32 lower-case hex digits, a UUID, or a number of at most 32 digits"],
    ["tid", 1.5, "tid must be 32 lower-case hex digits, a UUID, or a number of at most 32 digits"],
    ["price", "1", "price is not a member that the contract knows"],
  ])("with %s %j is refused by that name", (member, value, reason) =>
    expect(reasonOf({ [member]: value })).toBe(reason),
  );

  test("that is not JSON is refused", () =>
    expect(readerOf()("{")).toEqual({
      ok: false,
      reason: expect.stringMatching(/^the document must be one JSON/),
    }));
});

describe("a trade's id", () => {
  const idOf = (members: Record<string, unknown>, read = readerOf()) => {
    const checked = read(documentOf(members));
    return checked.ok ? checked.value.id : checked.reason;
  };

  test("may be a number, as text or as a number, and keeps all of its digits", () => {
    const digits = "12345678901234567890";
    expect(idOf({ tid: digits })).toBe(digits.padStart(32, "0"));
    const text = documentOf({ tid: 0 }).replace('"tid":0', `"tid":${digits}`);
    expect(readerOf()(text)).toMatchObject({ ok: true, value: { id: digits.padStart(32, "0") } });
  });

  test("is made of what is known of the trade where it has none", () => {
    const bare = { tid: undefined, s: "buy" };
    expect(idOf(bare)).toBe(
      new PrintIds().next({
        symbol: SYMBOL,
        tradedAtMicros: `${NOW}000`,
        price: "100.00",
        quantity: "0.10",
        side: "buy",
      }),
    );
    for (const other of [{ tdt: NOW + 1 }, { p: "100.01" }, { q: "0.11" }, { s: "sell" }, { s: null }])
      expect(idOf({ ...bare, ...other })).not.toBe(idOf(bare));
    const read = readerOf();
    expect(idOf(bare, read)).not.toBe(idOf(bare, read));
  });
});
