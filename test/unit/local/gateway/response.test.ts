import { describe, expect, it, test } from "vitest";
import { answerRules } from "../../../../local/gateway/answer-rules.ts";
import { readFunctionResponse } from "../../../../local/gateway/response.ts";

const read = (answer: unknown) => readFunctionResponse(JSON.stringify(answer));
const good = { statusCode: 200, headers: { "content-type": "a/b" }, body: "x" };
const but = <Changes extends object>(changes: Changes) => ({ ...good, ...changes });
const headers = (given: Record<string, unknown>) => but({ headers: given });

/** An answer whose JSON text has this many bytes. */
const ofBytes = (bytes: number, unit = "x") => {
  const rest = Buffer.byteLength(JSON.stringify(but({ body: "" })));
  return but({ body: unit.repeat((bytes - rest) / Buffer.byteLength(unit)) });
};
const PAYLOAD_BYTES_MAX = 6_291_556;

interface Boundary {
  readonly kept: readonly { readonly statusCode: number | string }[];
  readonly broken: readonly (readonly [answer: object, complaint: string])[];
}

const boundaries: Readonly<Record<string, Boundary>> = {
  "payload-size": {
    kept: [ofBytes(PAYLOAD_BYTES_MAX)],
    broken: [
      [
        ofBytes(PAYLOAD_BYTES_MAX + 1),
        "Function.ResponseSizeTooLarge: Response payload size exceeded maximum allowed payload size (6291556 bytes).",
      ],
      [ofBytes(PAYLOAD_BYTES_MAX + 4, "é"), "exceeded maximum"],
    ],
  },
  "status-code": {
    kept: [200, 599, "200", "404"].map((statusCode) => but({ statusCode })),
    broken: [
      [but({ statusCode: 99 }), "statusCode is 99"],
      [but({ statusCode: 600 }), "statusCode is 600"],
      [but({ statusCode: 200.5 }), "statusCode is 200.5"],
      [but({ statusCode: "abc" }), 'statusCode is "abc"'],
      [but({ statusCode: "2000" }), 'statusCode is "2000"'],
      [but({ statusCode: "20" }), 'statusCode is "20"'],
      [but({ statusCode: " 200" }), 'statusCode is " 200"'],
      [but({ statusCode: null }), "statusCode is null"],
      [but({ statusCode: true }), "statusCode is true"],
      [but({ statusCode: "x".repeat(1_000) }), `statusCode is "${"x".repeat(79)}`],
    ],
  },
  "final-status": {
    kept: [but({ statusCode: 200 })],
    broken: [
      [but({ statusCode: 100 }), "statusCode is 100"],
      [but({ statusCode: 199 }), "statusCode is 199"],
      [but({ statusCode: "103" }), 'statusCode is "103"'],
    ],
  },
  "headers-object": {
    kept: [but({ headers: {} }), but({ headers: null }), but({ headers: undefined })],
    broken: [
      [but({ headers: [] }), "headers is not an object"],
      [but({ headers: "a: b" }), "headers is not an object"],
    ],
  },
  "header-names": {
    kept: [headers({ "x-A_1!#$%&'*+.^`|~": "x" })],
    broken: [
      [headers({ "bad name": "x" }), 'the header "bad name" is not a token'],
      [headers({ "": "x" }), 'the header "" is not a token'],
      [headers({ "a:": "x" }), 'the header "a:" is not a token'],
      [headers({ é: "x" }), 'the header "é" is not a token'],
    ],
  },
  "header-strings": {
    kept: [headers({ a: "" }), headers({ a: "1" })],
    broken: [1, true, null, ["b"], {}].map((value) => [
      headers({ a: value }),
      'the header "a" has a value that is not a string',
    ]),
  },
  "header-characters": {
    kept: [headers({ a: "\t ~\u0080ÿ" })],
    broken: ["\n", "\r\nb: c", "\0", "\u001f", "\u007f", "Ā", "€"].map((value) => [
      headers({ a: value }),
      'the header "a" has a character that is not allowed in headers',
    ]),
  },
  cookies: {
    kept: [but({ cookies: [] }), but({ cookies: null }), but({ cookies: ["a=1; Path=/", "b=2"] })],
    broken: [
      [but({ cookies: "a=1" }), "cookies is not a list of strings"],
      [but({ cookies: ["a=1", 2] }), "cookies is not a list of strings"],
      [but({ cookies: {} }), "cookies is not a list of strings"],
      [but({ cookies: ["a=1\r\nb: c"] }), "a cookie has a character that is not allowed in headers"],
    ],
  },
  "header-bytes": {
    kept: [
      headers({ a: "x".repeat(10_000), b: "ÿ".repeat(240) }),
      but({ headers: {}, cookies: ["x".repeat(10_240)] }),
    ],
    broken: [
      [headers({ a: "x".repeat(10_000), b: "ÿ".repeat(241) }), "the header values add up to 10241 bytes"],
      [headers({ a: "x".repeat(10_241) }), "add up to 10241 bytes"],
      [but({ headers: { a: "x" }, cookies: ["x".repeat(10_240)] }), "add up to 10241 bytes"],
    ],
  },
  "base64-flag": {
    kept: [true, false, null, undefined].map((isBase64Encoded) => but({ body: "AA==", isBase64Encoded })),
    broken: ["true", 1, {}].map((isBase64Encoded) => [
      but({ isBase64Encoded }),
      "isBase64Encoded is not a boolean",
    ]),
  },
  "body-string": {
    kept: ["", "x", null, undefined].map((body) => but({ body })),
    broken: [{ no: "text" }, 1, true, ["x"]].map((body) => [but({ body }), "body is not a string"]),
  },
  "base64-body": {
    kept: [
      ...["", "AA==", "+/8=", "AAAA"].map((body) => but({ body, isBase64Encoded: true })),
      but({ body: "no Base64", isBase64Encoded: false }),
      but({ body: null, isBase64Encoded: true }),
    ],
    broken: ["AA", "AA=", "A===", "-_8=", "AB==", "AA==\n", "no Base64", "é"].map((body) => [
      but({ body, isBase64Encoded: true }),
      "body is not Base64",
    ]),
  },
};

describe("an answer", () => {
  test("is tested on both sides of every rule for answers", () => {
    expect(Object.keys(boundaries).sort()).toEqual(answerRules.map(({ name }) => name).sort());
  });

  test.each(Object.entries(boundaries))("that keeps the rule %s goes to the client", (_, { kept }) => {
    for (const answer of kept) {
      const { statusCode, problem } = read(answer);
      expect([statusCode, problem]).toEqual([Number(answer.statusCode), undefined]);
    }
  });

  test.each(Object.entries(boundaries))(
    "that breaks the rule %s is a 500 without the reason, which only the log has",
    (name, { broken }) => {
      for (const [answer, complaint] of broken) {
        const response = read(answer);
        expect({ ...response, body: String(response.body) }).toEqual({
          statusCode: 500,
          headers: { "content-type": "application/json" },
          body: '{"message":"Internal Server Error"}',
          problem: expect.stringContaining(`the answer breaks the rule ${name}: `) as string,
        });
        expect(response.problem).toContain(complaint);
        expect(response.problem).not.toMatch(/[\r\n]/);
      }
    },
  );
});

describe("a value without a status", () => {
  it.each([
    [{ anything: "else" }, '{"anything":"else"}'],
    ["only text", "only text"],
    [null, "null"],
    [[1, 2], "[1,2]"],
    [{ headers: { a: 1 }, body: { no: "text" } }, '{"headers":{"a":1},"body":{"no":"text"}}'],
  ])("%j is the whole body of a 200", (value, body) => {
    const response = read(value);
    expect({ ...response, body: String(response.body) }).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json" },
      body,
    });
  });

  it("may be as large as any other answer, and no larger", () => {
    expect(read("x".repeat(PAYLOAD_BYTES_MAX - 2)).statusCode).toBe(200);
    expect(read("x".repeat(PAYLOAD_BYTES_MAX - 1)).problem).toContain("Function.ResponseSizeTooLarge");
  });
});

describe("an answer that keeps the rules", () => {
  it("has its headers in lower case, without those that the gateway sets itself", () => {
    const own = { Date: "d", Connection: "close", "Content-Length": "9", "Transfer-Encoding": "chunked" };
    expect(
      read(headers({ ...own, "Keep-Alive": "x", Upgrade: "x", Trailer: "x", ETag: '"1"' })).headers,
    ).toEqual({ "content-type": "text/plain; charset=utf-8", etag: '"1"' });
  });

  it.each([200, 204, 304, 404])("is text/plain when it names no type, at %i too", (statusCode) => {
    expect(read({ statusCode }).headers).toEqual({ "content-type": "text/plain; charset=utf-8" });
    expect(read({ statusCode, headers: { "Content-Type": "a/b" } }).headers).toEqual({
      "content-type": "a/b",
    });
  });

  it.each([
    [200, "x"],
    [204, undefined],
    [304, undefined],
  ])("at %i has the body %j", (statusCode, body) => {
    expect(read(but({ statusCode })).body?.toString()).toBe(body);
  });

  it("has the bytes of its decoded Base64", () => {
    expect(read(but({ body: "AP8B", isBase64Encoded: true })).body).toEqual(Buffer.from([0, 255, 1]));
  });

  it("has a Set-Cookie for each of its cookies", () => {
    expect(read(but({ cookies: ["a=1", "b=2"] })).headers).toEqual({
      "content-type": "a/b",
      "set-cookie": ["a=1", "b=2"],
    });
  });
});
