import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldOf, readAnswer } from "../../../../ops/compare/read-answer.ts";

const read = (text: string, method = "GET", hasEnded = false) =>
  readAnswer(Buffer.from(text, "latin1"), method, hasEnded);
const seen = (text: string, method?: string, hasEnded?: boolean) => {
  const answer = read(text, method, hasEnded);
  return answer && [answer.status, answer.body.toString("latin1")];
};

const OK = "HTTP/1.1 200 OK\r\n";

describe("an answer is read", () => {
  test.each([
    ["with a length", `${OK}Content-Length: 2\r\n\r\nab`, [200, "ab"]],
    ["with a length, before other bytes", `${OK}content-length: 2\r\n\r\nabc`, [200, "ab"]],
    [
      "in chunks",
      `${OK}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n`,
      [200, "abc0123456789"],
    ],
    [
      "after interim answers",
      "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
      [404, ""],
    ],
    ["without a reason phrase", "HTTP/1.1 410 \r\ncontent-length: 0\r\n\r\n", [410, ""]],
    [
      "of a 304, whatever length it names",
      "HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n",
      [304, ""],
    ],
  ])("%s", (_, text, expected) => {
    expect(seen(text)).toEqual(expected);
  });

  test("to HEAD without a body, whatever length it names", () => {
    expect(seen(`${OK}content-length: 9\r\n\r\n`, "HEAD")).toEqual([200, ""]);
  });

  test("up to the end of the connection when nothing names its length", () => {
    expect(seen(`${OK}\r\nab`)).toBeUndefined();
    expect(seen(`${OK}\r\nab`, "GET", true)).toEqual([200, "ab"]);
  });

  test("with every line of a header, as it was spelt", () => {
    const answer = read(`${OK}X-A: 1\r\nx-a:2 \r\ncontent-length: 0\r\n\r\n`);
    expect(answer?.fields.slice(0, 2)).toEqual([
      ["X-A", "1"],
      ["x-a", "2"],
    ]);
    expect(answer && [fieldOf(answer, "x-a"), fieldOf(answer, "x-b")]).toEqual(["1, 2", undefined]);
  });

  test.each([
    `${OK}content-length: 12\r\n\r\nhello world!`,
    `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n7\r\n world!\r\n0\r\n\r\n`,
  ])("only once it is whole: %j", (text) => {
    const whole = seen(text);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (length) => {
        const part = seen(text.slice(0, length));
        if (part !== undefined) expect(part).toEqual(whole);
        if (length === text.length) expect(part).toEqual([200, "hello world!"]);
      }),
    );
    expect(seen(text.slice(0, -8), "GET", true)).toBeUndefined();
  });

  test("after any number of interim ones", () => {
    const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(40_000);
    expect(seen(interim)).toBeUndefined();
    expect(seen(`${interim}${OK}content-length: 2\r\n\r\nhi`)).toEqual([200, "hi"]);
  });

  test.each(["", "SSH-2.0-x\r\n\r\n", "HTTP/2 200\r\n\r\n"])("not from other bytes: %j", (text) => {
    expect(seen(text, "GET", true)).toBeUndefined();
  });
});
