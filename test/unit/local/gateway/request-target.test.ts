import { describe, expect, it } from "vitest";
import { readQuery, readTarget } from "../../../../local/gateway/request-target.ts";

const pathOf = (target: string, basePath = "") => {
  const read = readTarget(target, basePath);
  return typeof read === "string" ? read : read.path;
};

describe("the path of a request", () => {
  // A live HTTP API passed each target on as this path, or answered 400.
  it.each([
    ["/capture/plain", "/capture/plain"],
    ["/capture/space%20value", "/capture/space value"],
    ["/capture/question%3Fvalue", "/capture/question"],
    ["/capture/percent%25done", "unreadable"],
    ["/capture/hash%23value", "/capture/hash#value"],
    ["/capture/slash%2Fvalue", "/capture/slash/value"],
    ["/capture/unicode-%CE%BB-%E4%B8%96%E7%95%8C", "/capture/unicode-λ-世界"],
    ["/capture/literal%252Fvalue", "/capture/literal/value"],
    ["/capture/literal%253Fvalue", "/capture/literal?value"],
    ["/capture/literal%2525value", "/capture/literal%value"],
  ])("%s is %j, as a live HTTP API was seen to read it", (target, path) => {
    expect(pathOf(`${target}?marker=path-probe`)).toBe(path);
  });

  it.each([
    ["/a%3fb", "/a"],
    ["/a%3Fb/c", "/a"],
    ["/a/%3Fb", "/a/"],
    ["/%3Fb", "/"],
    ["/a%3Fb%3Fc", "/a"],
    ["/a%3F%zz", "unreadable"],
    ["/a%3F%25zz", "/a"],
    ["/a%253Fb%3Fc", "/a?b"],
    ["/a%25253Fb", "/a%3Fb"],
    ["/a%3Fb=1?c=2", "/a"],
  ])("%s is %j: cut at what the first decoding makes a question mark", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });

  it.each([
    ["/50%", "unreadable"],
    ["/%zz", "unreadable"],
    ["/%4", "unreadable"],
    ["/50%25", "unreadable"],
    ["/50%2525", "/50%"],
    ["/%2541", "/A"],
  ])("%s is %j: a percent sign begins an encoded byte, at both decodings", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });

  it.each([
    ["/a%25252Fb", "/a%2Fb"],
    ["/a+b", "/a+b"],
    ["/%FF", "/\uFFFD"],
    ["/a%00b", "/a\0b"],
    ["http://host:1/a", "/a"],
    ["http://host", "/"],
    ["*", "outside"],
  ])("%s is %j", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});

describe("the base path", () => {
  it.each([
    ["/api/a", "/a"],
    ["/api", "/"],
    ["/api/", "/"],
    ["/api?x=1", "/"],
    ["/api/%3Fa", "/"],
    ["/api/a%3Fb", "/a"],
    ["/api%3Fx=1", "outside"],
    ["/api%253Fx=1/a", "outside"],
    ["/ap%3Fi/a", "outside"],
    ["/%61pi/a", "outside"],
    ["/apia", "outside"],
    ["/a", "outside"],
    ["/API/a", "outside"],
    ["/a/api", "outside"],
  ])("takes %s to %j", (target, path) => {
    expect(pathOf(target, "/api")).toBe(path);
  });
});

const rawQueryOf = (target: string) => {
  const read = readTarget(target, "");
  return typeof read === "string" ? read : read.rawQuery;
};

describe("the query", () => {
  it("begins at the literal question mark, and lacks what a decoded one cut off", () => {
    expect(rawQueryOf("/a%3Fb=1")).toBe("");
    expect(rawQueryOf("/a%3Fb=1?c=2")).toBe("c=2");
    expect(rawQueryOf("/a%253Fb=1?c=%3F")).toBe("c=%3F");
  });

  it.each(["", "a=1", "a=1&a=2", "%61=%2C", "a=b=c", "?", "a=1?b=2", "+", "&&", "=", "\u00e9=\u00fc"])(
    "%j stays as it was sent",
    (query) => {
      expect(rawQueryOf(`/a?${query}`)).toBe(query);
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

  it("without parameters is undefined", () => {
    expect([readQuery(""), readQuery("&")]).toEqual([undefined, undefined]);
  });
});
