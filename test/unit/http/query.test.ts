import { describe, expect, test } from "vitest";
import { readQuery } from "../../../lib/http/query.ts";
import { wholeNumber } from "../../../lib/parameter-schemas.ts";

const rules = { known: ["a", "b", "list"], repeatable: ["list"], refusesUnknown: false };
const read = (raw: string) => readQuery(raw, rules);

describe("readQuery", () => {
  test.each([
    ["", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1%2C2", { a: "1,2" }],
    ["a=x=y", { a: "x=y" }],
    ["a=1+2", { a: "1 2" }],
    ["%61=1", { a: "1" }],
    ["list=1&list=2", { list: ["1", "2"] }],
    ["list=1", { list: ["1"] }],
  ])("%s is read as it was meant", (raw, values) => {
    expect(read(raw)).toEqual(values);
  });

  test.each(["z=%zz&a=1", "toString=1&a=1", "__proto__=1&a=1", "%zz=1&a=1", "A=9&a=1", "&&a=1"])(
    "%s: an unknown parameter is ignored, whatever it holds",
    (raw) => {
      expect(read(raw)).toEqual({ a: "1" });
    },
  );

  test.each([
    ["a=1&a=2", "a: is given more than once."],
    ["a=1&a=1", "a: is given more than once."],
    ["a=1&%61=1", "a: is given more than once."],
    ["a=", "a: is empty; leave it out or give it a value."],
    ["b", "b: is empty; leave it out or give it a value."],
    ["list=1&list=", "list: is empty; leave it out or give it a value."],
    ["a=%zz", "a: is not correctly percent-encoded UTF-8."],
    ["a=%ff", "a: is not correctly percent-encoded UTF-8."],
  ])("%s is refused: %s", (raw, message) => {
    expect(() => read(raw)).toThrow(message);
  });
});

describe("where unknown parameters are refused", () => {
  const known = ["from", "to", "account", "type", "state", "request_id", "start_date", "count", "cursor"];
  const strict = (raw: string) => readQuery(raw, { known, repeatable: ["account"], refusesUnknown: true });

  test.each([
    ["status=completed", "status: is not a parameter of this endpoint; did you mean state?"],
    ["account[]=x", "account[]: is not a parameter of this endpoint; did you mean account?"],
    ["account%5B%5D=x", "account[]: is not a parameter of this endpoint; did you mean account?"],
    ["account%5b0%5d=x", "account[0]: is not a parameter of this endpoint; did you mean account?"],
    ["from=2026-01-01&state%5B%5D=x", "state[]: is not a parameter of this endpoint; did you mean state?"],
    ["startDate=1", "startDate: is not a parameter of this endpoint; did you mean start_date?"],
    ["START-DATE=1", "START-DATE: is not a parameter of this endpoint; did you mean start_date?"],
    ["start=1", "start: is not a parameter of this endpoint; did you mean start_date?"],
    ["From=1", "From: is not a parameter of this endpoint; did you mean from?"],
    ["form=1", "form: is not a parameter of this endpoint; did you mean from?"],
    ["requestId=1", "requestId: is not a parameter of this endpoint; did you mean request_id?"],
    ["request=1", "request: is not a parameter of this endpoint; did you mean request_id?"],
    ["accounts", "accounts: is not a parameter of this endpoint; did you mean account?"],
    ["tpye=", "tpye: is not a parameter of this endpoint; did you mean type?"],
    ["+from=1", " from: is not a parameter of this endpoint; did you mean from?"],
    ["limit=5", `limit: is not a parameter of this endpoint, which takes ${known.join(", ")}.`],
    ["_=1795554000000", `_: is not a parameter of this endpoint, which takes ${known.join(", ")}.`],
    ["in=1", `in: is not a parameter of this endpoint, which takes ${known.join(", ")}.`],
    ["=1", "a parameter without a name: is not a parameter of this endpoint"],
    ["%zz=1", "%zz: is not a parameter of this endpoint"],
    ["__proto__=1", "__proto__: is not a parameter of this endpoint"],
    ["toString=1", "toString: is not a parameter of this endpoint"],
    [`${"x".repeat(1_000)}=1`, `${"x".repeat(64)}: is not a parameter of this endpoint`],
  ])("%s is refused, and what may have been meant is named", (raw, message) => {
    expect(() => strict(raw)).toThrow(message);
  });

  test("the first fault is reported", () => {
    expect(() => strict("from=&status=1")).toThrow("from: is empty");
    expect(() => strict("status=1&from=")).toThrow("status: is not");
  });

  test.each(["", "&", "from=1&", "&&from=1&&account=1&account=2"])("%j holds no unknown parameter", (raw) => {
    expect(() => strict(raw)).not.toThrow();
  });
});

describe("a parameter that is a whole number", () => {
  const schema = wholeNumber(1, 1_900);
  test.each([
    ["1", 1],
    ["1900", 1_900],
  ])("may be %s", (text, value) => expect(schema.parse(text)).toBe(value));

  test.each([
    "0",
    "1901",
    "-1",
    "1.5",
    "1e3",
    "0x10",
    "+5",
    "",
    " ",
    "00010",
    "10abc",
    "9007199254740993",
    "NaN",
    "null",
    "\u0661",
    "1,2",
  ])("is refused as %j", (text) => {
    expect(() => schema.parse(text)).toThrow("must be a whole number from 1 to 1900, in digits only");
  });
});
