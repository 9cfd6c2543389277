import { expect, test } from "vitest";
import { instantOf, parseDateOrInstant } from "../../../lib/instant.ts";
import { listWindow } from "../../../lib/transactions/list-window.ts";
import { NOW } from "../../support/chain.ts";

const at = (text: string) => parseDateOrInstant(text);
const clock = () => NOW;

test("without dates the window is everything until now", () => {
  expect(listWindow({}, clock)).toEqual({ from: undefined, to: instantOf(NOW) });
});

test("a start in the past begins a window that goes on until now", () => {
  for (const agoMs of [1, 60_000, 14 * 86_400_000]) {
    const from = instantOf(NOW - agoMs);
    expect(listWindow({ from }, clock)).toEqual({ from, to: instantOf(NOW) });
    expect(listWindow({ from, request_id: "r" }, clock)).toEqual({ from, to: instantOf(NOW) });
  }
});

test("a start at its end is an empty window; a microsecond later it is refused", () => {
  const to = at("2026-11-01T00:00:00Z");
  expect(listWindow({ from: to, to }, clock)).toEqual({ from: to, to });
  expect(() => listWindow({ from: at("2026-11-01T00:00:00.000001Z"), to }, clock)).toThrow(
    "from: must not be later than to.",
  );
});

test("a start ahead of the clock begins a window with nothing in it, unless an end is given that comes first", () => {
  for (const ahead of [1, 2_000, 86_400_000, 10 * 365 * 86_400_000]) {
    const from = instantOf(NOW + ahead);
    expect(listWindow({ from }, clock)).toEqual({ from, to: from });
    expect(listWindow({ from, request_id: "r" }, clock)).toEqual({ from, to: from });
    for (const to of [NOW, NOW + ahead - 1])
      expect(() => listWindow({ from, to: instantOf(to) }, clock)).toThrow(
        "from: must not be later than to.",
      );
  }
  const from = instantOf(NOW);
  expect(listWindow({ from }, clock)).toEqual({ from, to: from });
});

test("a request id needs a start", () => {
  expect(() => listWindow({ request_id: "r", to: instantOf(NOW) }, clock)).toThrow(
    "from: is required with request_id.",
  );
});

test("a request id may be searched for 14 days, and not a microsecond longer", () => {
  const from = at("2026-11-01T00:00:00.5Z");
  const search = (to: string) => () => listWindow({ from, to: at(to), request_id: "r" }, clock);
  expect(search("2026-11-15T00:00:00.5Z")().from).toEqual(from);
  expect(search("2026-11-15T00:00:00.500001Z")).toThrow(
    "to: must be at most 14 days after from with request_id.",
  );
});

test("other searches may span any time", () => {
  expect(listWindow({ from: at("1970-01-01"), to: at("2026-01-01") }, clock).from).toEqual(at("1970-01-01"));
});
