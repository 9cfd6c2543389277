import { describe, expect, it } from "vitest";
import { readQuery, readTarget } from "../../../infra/local/request-target.ts";

describe("the path of a request", () => {
  it.each([
    ["/a/b", "/a/b"],
    ["/a%2Fb", "/a/b"],
    ["/a%252Fb", "/a/b"],
    ["/a%25252Fb", "/a%2Fb"],
    ["/caf%C3%A9", "/café"],
    ["/a+b", "/a+b"],
    ["/50%", "/50%"],
    ["/%zz%4", "/%zz%4"],
    ["/%FF", "/\uFFFD"],
    ["/a%3Fb=1", "/a?b=1"],
    ["/a%253Fb=1", "/a?b=1"],
    ["/a%3Fb=1?c=2", "/a?b=1"],
    ["/a%23b", "/a#b"],
    ["/a%00b", "/a\0b"],
    ["http://host:1/a", "/a"],
    ["http://host", "/"],
    ["*", undefined],
  ])("%s is %j", (target, path) => {
    const read = readTarget(target, "");
    expect(read?.path === "*" ? undefined : read?.path).toBe(path);
  });
});

describe("the base path", () => {
  it.each([
    ["/api/a", "/a"],
    ["/api", "/"],
    ["/api/", "/"],
    ["/api?x=1", "/"],
    ["/apia", undefined],
    ["/a", undefined],
    ["/API/a", undefined],
    ["/a/api", undefined],
  ])("takes %s to %j", (target, path) => {
    expect(readTarget(target, "/api")?.path).toBe(path);
  });
});

describe("the query", () => {
  it("begins at the question mark that was sent as one, never at a decoded one", () => {
    expect(readTarget("/a%3Fb=1", "")?.rawQuery).toBe("");
    expect(readTarget("/a%3Fb=1?c=2", "")?.rawQuery).toBe("c=2");
  });

  it.each(["", "a=1", "a=1&a=2", "%61=%2C", "a=b=c", "?", "a=1?b=2", "+", "&&", "=", "\u00e9=\u00fc"])(
    "%j stays as it was sent",
    (query) => {
      expect(readTarget(`/a?${query}`, "")?.rawQuery).toBe(query);
    },
  );

  it("is decoded into parameters whose values are joined by commas", () => {
    expect(readQuery("a=1&b=%26&a=2&c&d=x=y&e=a+b&%66=%C3%A9")).toEqual({
      a: "1,2",
      b: "&",
      c: "",
      d: "x=y",
      e: "a b",
      f: "é",
    });
  });

  it("without parameters has none", () => {
    expect([readQuery(""), readQuery("&")]).toEqual([undefined, undefined]);
  });
});
