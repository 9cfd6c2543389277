import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { sampleChain, sampleEvent } from "../support/chain.ts";

type Members = Readonly<Record<string, unknown>>;

const clientCert = { clientCertPem: "-----BEGIN CERTIFICATE-----" };
const format2: Members = sampleEvent({
  rawQueryString: "count=5&word=a",
  body: null,
  requestContext: { stage: "s", requestId: "r", http: { method: "GET" }, authentication: { clientCert } },
});
const format1: Members = {
  version: "1.0",
  path: "/s/sample/1",
  httpMethod: "GET",
  headers: { authorization: "Bearer good" },
  multiValueHeaders: { authorization: ["Bearer good"] },
  queryStringParameters: { count: "5" },
  multiValueQueryStringParameters: { count: ["5"], word: ["a", "b"] },
  pathParameters: { id: "1" },
  body: null,
  requestContext: { stage: "s", requestId: "r" },
};

/** The path to each member of an event, members of members included. */
const waysInto = (value: unknown, way: readonly string[] = []): (readonly string[])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [[...way, name], ...waysInto(member, [...way, name])])
    : [];

/** The event with another value at a path. */
function replaced(value: unknown, [name, ...rest]: readonly string[], member: unknown): unknown {
  if (name === undefined) return member;
  const members: Members = typeof value === "object" && value !== null ? { ...value } : {};
  return { ...members, [name]: replaced(members[name], rest, member) };
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(undefined, null, "\ud800", "%", "", 5, [null], ["\udfff", 5], { "\ud800": "\ud800" }),
);
const mutatedEvent = fc
  .constantFrom(format2, format1, { ...format1, multiValueQueryStringParameters: null })
  .chain((event) =>
    fc
      .array(fc.tuple(fc.constantFrom(...waysInto(event)), anything), { maxLength: 3 })
      .map((changes) =>
        changes.reduce<unknown>((changed, [way, member]) => replaced(changed, way, member), event),
      ),
  );

test("an event of any kind is answered with a status, a body and one line", async () => {
  const { call, lines } = sampleChain();
  const isAnswered = async (event: unknown): Promise<void> => {
    lines.length = 0;
    const { statusCode, headers, body } = await call(event);
    expect([200, 400, 401, 404]).toContain(statusCode);
    expect(headers).toHaveProperty(["Request-Id"]);
    const error = statusCode === 200 ? {} : { error_id: expect.any(String), code: expect.any(String) };
    expect(JSON.parse(body)).toMatchObject(error);
    expect(lines).toMatchObject([{ status: statusCode }]);
    expect(() => JSON.stringify(lines)).not.toThrow();
  };
  await fc.assert(fc.asyncProperty(fc.oneof(mutatedEvent, mutatedEvent, anything), isAnswered), {
    numRuns: cases(600),
    examples: [
      [{ rawPath: 5, requestContext: { stage: "s" } }],
      [{ queryStringParameters: { a: "\ud800" } }],
      [{ multiValueQueryStringParameters: { a: null } }],
      [undefined],
    ],
  });
});
