import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodedBody } from "../../../../ops/compare/body-form.ts";
import { differencesOf } from "../../../../ops/compare/compare-answers.ts";
import type { Field } from "../../../../ops/compare/message.ts";
import type { Seen } from "../../../../ops/compare/send-message.ts";
import { maskSecrets } from "../../../../ops/terminal/terminal-text.ts";

const masking = (text: string): string => maskSecrets(text, ["a-token-of-twenty-letters"]);
const side = { mask: (text: string) => text };
const answer = (status: number, fields: readonly Field[], body: string | Buffer = ""): Seen => ({
  kind: "answer",
  status,
  fields,
  body: Buffer.from(body),
});
const none = (why: string): Seen => ({ kind: "none", why, isUnreached: false });
const compare = (left: Seen, right: Seen, isExact = false) =>
  differencesOf({ side, seen: left }, { side, seen: right }, isExact);
const headers = (name: string, left: string, right: string, isExact = false) =>
  compare(answer(200, [[name, left]]), answer(200, [[name, right]]), isExact).map(({ aspect }) => aspect);
const bodies = (left: string, right: string, { status = 200, isExact = false } = {}) =>
  compare(answer(status, [], left), answer(status, [], right), isExact);

const ID = "0b1e6a0a-5e0c-4d52-9d3e-0f6f3f9c2a11";
const OTHER_ID = "9d3e0f6f-5e0c-4d52-9d3e-0b1e6a0a2a11";

describe("of a header that differs by nature, only the form is compared:", () => {
  test.each([
    ["date", "Sat, 28 Nov 2026 18:00:00 GMT", "Sun, 29 Nov 2026 06:30:59 GMT", "2026-11-28"],
    ["apigw-requestid", "ATfSmjLgPHcESJw=", "b_-SmjLgPHcESJw=", "ATfSmjLgPHcESJw"],
    ["request-id", ID, OTHER_ID, "compare"],
    ["ratelimit", '"a";r=1;t=2', '"a";r=59;t=0', '"b";r=1;t=2'],
    ["retry-after", "1", "1500", "Sat, 28 Nov 2026 18:00:00 GMT"],
    [
      "link",
      '<?a=1&to=2&cursor=x>; rel="next"',
      '<?a=1&to=3&cursor=yy>; rel="next"',
      '<?a=2&to=2&cursor=x>; rel="next"',
    ],
    ["content-length", "12", "345", "1.5"],
    ["etag", '"a"', '"b"', 'W/"a"'],
  ])("%s", (name, left, alike, other) => {
    expect(headers(name, left, alike)).toEqual([]);
    expect(headers(name, left, other)).toEqual([`header ${name}`]);
  });

  test("but a tag stands for the same bytes on both sides that have the same records", () => {
    expect(headers("etag", '"a"', '"b"', true)).toEqual(["header etag"]);
  });

  test.each(["connection", "keep-alive", "X-Local-Bill", "X-Local-Warning"])("%s is left out", (name) => {
    expect(compare(answer(200, [[name, "a"]]), answer(200, []))).toEqual([]);
  });

  test.each(["x-amzn-trace-id", "x-cache", "via", "transfer-encoding"])("%s is not left out", (name) => {
    expect(compare(answer(200, [[name, "a"]]), answer(200, []))).toHaveLength(1);
  });

  test.each([
    [400, []],
    [401, []],
    [403, []],
    [409, []],
    [200, ["header ratelimit"]],
    [404, ["header ratelimit"]],
    [410, ["header ratelimit"]],
    [429, ["header ratelimit"]],
  ])("RateLimit may be absent from a %i: %j", (status, aspects) => {
    const found = compare(answer(status, [["RateLimit", '"a";r=1;t=1']]), answer(status, []));
    expect(found.map(({ aspect }) => aspect)).toEqual(aspects);
  });
});

test("what a side masks is masked before it is compared or told, in headers and in bodies", () => {
  const sideOf = (secret: string) => ({ mask: (text: string) => text.replaceAll(secret, "(secret)") });
  const sent = (secret: string, more = "") =>
    answer(404, [["x-sent", secret]], `{"message":"${secret}${more}"}`);
  const masked = (more: string) =>
    differencesOf(
      { side: sideOf("abc"), seen: sent("abc") },
      { side: sideOf("xyz"), seen: sent("xyz", more) },
      false,
    );
  expect(masked("")).toEqual([]);
  expect(masked("!")).toEqual([
    { aspect: "body", left: '{"message":"(secret)"}', right: '{"message":"(secret)!"}' },
  ]);
});

describe("a header differs", () => {
  test("by its value, its absence and its spelling, and by each line of several", () => {
    expect(headers("vary", "a", "b")).toEqual(["header vary"]);
    expect(compare(answer(200, [["vary", "a"]]), answer(200, []))).toEqual([
      { aspect: "header vary", left: "a", right: "absent" },
    ]);
    expect(compare(answer(200, [["vary", "a"]]), answer(200, [["Vary", "a"]]))).toEqual([
      { aspect: "spelling of vary", left: "vary", right: "Vary" },
    ]);
    expect(headers("vary", "a, b", "a,b")).toEqual(["header vary"]);
    const twice = answer(200, [
      ["a", "1"],
      ["a", "2"],
    ]);
    expect(compare(twice, answer(200, [["a", "1, 2"]]))).toEqual([]);
    expect(compare(twice, answer(200, [["a", "1"]]))).toHaveLength(1);
  });
});

describe("where the status differs, or there is no answer,", () => {
  test("nothing else is compared", () => {
    const refused = answer(401, [["a", "1"]], `{"error_id":"${ID}","code":"invalid_credentials"}`);
    const absent = answer(404, [], '{"message":"Not Found"}');
    expect(compare(refused, absent)).toEqual([
      { aspect: "status", left: "401 invalid_credentials", right: '404 {"message":"Not Found"}' },
    ]);
    expect(compare(refused, none("silent for 30 s"))).toEqual([
      { aspect: "answer", left: "401 invalid_credentials", right: "silent for 30 s" },
    ]);
    expect(compare(none("ended"), none("ended"))).toEqual([]);
  });
});

describe("of an error", () => {
  const error = (id: string, timestamp: number, message: string, wait: number) =>
    `{"error_id":"${id}","code":"rate_limited","message":"${message}","timestamp":${timestamp},"retry_after_ms":${wait}}`;

  test.each(["wait", 'of \\"a\\" wait'])(
    "its ids, instants and waits are compared by their form: %s",
    (word) => {
      const left = error(ID, 1_795_554_000_000, `${word} 12 ms.`, 12);
      const right = error(OTHER_ID, 1_795_554_000_001, `${word} 345 ms.`, 345);
      expect(bodies(left, right, { status: 429 })).toEqual([]);
    },
  );

  test.each([
    ["its message", error(ID, 1_795_554_000_000, "stop 12 ms.", 12)],
    ["a limit in its message", error(ID, 1_795_554_000_000, "wait 12 ms. At most 100.", 12)],
    ["the order of its members", `{"code":"rate_limited","error_id":"${ID}"}`],
    ["the unit of an instant", error(ID, 1_795_554_000, "wait 12 ms.", 12)],
  ])("%s is compared exactly", (_, right) => {
    const left = error(ID, 1_795_554_000_000, "wait 12 ms.", 12);
    expect(bodies(left, right, { status: 429 })).toMatchObject([{ aspect: "body" }]);
  });
});

describe("of different records", () => {
  test.each([
    ["values", '{"a":1.50,"b":"x"}', '{"a":2,"b":"y"}'],
    ["members that only one has", '{"a":1,"b":2}', '{"a":1,"c":2}'],
    ["the lengths of lists", '{"a":[1,2]}', '{"a":[]}'],
    ["elements after the first", "[1,2]", '[1,"2"]'],
  ])("%s are not compared", (_, left, right) => {
    expect(bodies(left, right)).toEqual([]);
  });

  test.each([
    ["the type of a member", '{"a":{"b":1}}', '{"a":{"b":"1"}}', "a.b is a number", "a.b is a string"],
    ["the type of an element", '{"a":[{"b":1}]}', '{"a":[{"b":null}]}', "a[].b is a number", "a[].b is null"],
    ["a list in place of an object", "[]", "{}", "it is a list", "it is an object"],
    ["the order of members", '{"a":1,"b":2}', '{"b":2,"c":0,"a":1}', "it has a, b", "it has b, a"],
    ["whether they are JSON", '{"a":1}', "<html>", "an object", "no JSON"],
    ["a text that is none", "abc", "abd", "abc", "abd"],
  ])("%s is compared", (_, left, right, one, other) => {
    expect(bodies(left, right)).toEqual([{ aspect: "body", left: one, right: other }]);
  });
});

describe("of the same records", () => {
  test("every digit is compared, and shown with what is around it", () => {
    const left = `{"id":"${"x".repeat(40)}","amount":33.80}`;
    const [found] = bodies(left, left.replace("33.80", "33.8"), { isExact: true });
    expect(found).toEqual({
      aspect: "body",
      left: `…${left.slice(-26)}`,
      right: `…${left.slice(-26).replace("33.80", "33.8")}`,
    });
  });

  test("the instant and the cursor of a page of trades are compared by their form", () => {
    const page = (instant: number, cursor: string) =>
      `{"data":[],"metadata":{"timestamp":${instant},"next_cursor":"${cursor}"}}`;
    const left = page(1_795_554_000_000, "a");
    expect(bodies(left, page(1_795_554_000_001, "bcd"), { isExact: true })).toEqual([]);
    expect(bodies(left, left.replace("[]", "[1]"), { isExact: true })).toHaveLength(1);
  });

  test("the bytes before their coding are compared", () => {
    const coded = (body: string | Buffer) => answer(200, [["content-encoding", "gzip"]], body);
    const [fast, small] = [1, 9].map((level) => coded(gzipSync('{"a":1.50}', { level }))) as [Seen, Seen];
    expect(compare(fast, small, true)).toEqual([]);
    expect(compare(fast, coded(gzipSync('{"a":1.5}')), true)).toHaveLength(1);
    expect(compare(fast, coded("no gzip"), true)).toHaveLength(1);
  });
});

/** Work that grew with the square of the length would take minutes here, and recursion would overflow the stack. */
describe("the work grows no faster than what a side sends:", () => {
  const LONG = 200_000;
  const DEEP = 60_000;

  test.each([
    ["digits", "1".repeat(LONG)],
    ["numbers", "1234 ".repeat(LONG / 5)],
    ["digits in the message", `{"message":"${"1".repeat(LONG)}","timestamp":1795554000000}`],
    ["messages without an end", '{"message":"a\\'.repeat(LONG / 14)],
    ["letters, as of a signature", "a".repeat(LONG)],
  ])("an error of %s", (_, text) => {
    expect(bodies(text, `${text}!`, { status: 404 })).toHaveLength(1);
    expect(masking(text)).toBe(text);
  });

  test("lists in lists", () => {
    const deep = (inner: string) => `${"[".repeat(DEEP)}${inner}${"]".repeat(DEEP)}`;
    expect(bodies(deep("1"), deep('"a"'))).toEqual([]);
    const members = `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`;
    expect(bodies(members, members)).toEqual([]);
  });

  test("lines of a header, and a long one, of which the beginning is told", () => {
    const lines = Array.from({ length: 30_000 }, (_, at): Field => [`x-${at}`, "1"]);
    expect(compare(answer(200, lines), answer(200, lines))).toEqual([]);
    const [difference] = compare(answer(200, [["x-a", "b".repeat(LONG)]]), answer(200, []));
    expect(difference).toMatchObject({ aspect: "header x-a", right: "absent" });
    expect(difference?.left.length).toBeLessThan(1_100);
  });

  const spaces = Buffer.alloc(8_388_608, " ");
  test.each([
    ["br", brotliCompressSync(spaces)],
    ["gzip", gzipSync(spaces)],
    ["zstd", zstdCompressSync(spaces)],
  ])("a body that %s made small is not unpacked beyond what any answer has", (coding, packed) => {
    expect(decodedBody(packed, coding)).toBe(packed.toString("latin1"));
  });
});
