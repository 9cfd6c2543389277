import { describe, expect, test } from "vitest";
import { readQuery } from "../../../lib/http/query.ts";

const read = (raw: string) => readQuery(raw, ["a", "b", "list"], ["list"]);

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
