import fc from "fast-check";
import { expect, test } from "vitest";
import type { Members } from "../../lib/json-value.ts";
import { cases } from "../support/cases.ts";
import { sampleChain, sampleEvent } from "../support/chain.ts";

const clientCert = { clientCertPem: "-----BEGIN CERTIFICATE-----" };
const httpEvent: Members = sampleEvent({
  rawQueryString: "count=5&word=a&word=b",
  body: null,
  requestContext: { stage: "s", requestId: "r", http: { method: "GET" }, authentication: { clientCert } },
});

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
  .array(fc.tuple(fc.constantFrom(...waysInto(httpEvent)), anything), { maxLength: 3 })
  .map((changes) =>
    changes.reduce<unknown>((changed, [way, member]) => replaced(changed, way, member), httpEvent),
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
      [{ rawQueryString: "a=\ud800" }],
      [undefined],
    ],
  });
});
