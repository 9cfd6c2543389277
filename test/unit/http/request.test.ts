import { describe, expect, test } from "vitest";
import { apiKey } from "../../../lib/auth/api-key.ts";
import { rampKeyId } from "../../../lib/auth/credential.ts";
import { readRequest } from "../../../lib/http/request.ts";
import { NOW } from "../../support/chain.ts";

const headersOf = (event: object) => readRequest(event).headers;

describe("the headers of an event", () => {
  test.each([
    ["two spellings of one name", { headers: { "X-API-KEY": "a", "x-api-key": "b" } }, "a,b"],
    ["three of them", { headers: { "x-api-key": "a", "X-Api-Key": "b", "X-API-KEY": "a" } }, "a,b,a"],
    ["one spelling", { headers: { "X-API-KEY": "a" } }, "a"],
    ["an empty value beside another", { headers: { "X-API-KEY": "", "x-api-key": "b" } }, ",b"],
    [
      "a value that is not a text, which counts as absent",
      { headers: { "X-API-KEY": null, "x-api-key": "b" } },
      "b",
    ],
    ["values without a text among them", { headers: { "X-API-KEY": null, "x-api-key": 7 } }, undefined],
  ])("%s become one, joined with commas as the gateway joins repeated ones", (_, event, value) => {
    expect(headersOf(event)["x-api-key"]).toBe(value);
  });

  test("have only their own members, whatever the names", () => {
    const names = ["__proto__", "constructor"];
    const headers = JSON.parse('{"__proto__":"a","constructor":"b"}') as object;
    expect(Object.entries(headersOf({ headers }))).toEqual(names.map((name, at) => [name, "ab"[at]]));
  });
});

test("a good key does not override a bad one under another spelling", async () => {
  const key = "k".repeat(43);
  const credential = {
    id: rampKeyId(key),
    kind: "ramp-key",
    owner: "acme",
    scopes: [],
    createdAt: NOW,
  } as const;
  const getStored = async (id: string) => (id === credential.id ? credential : undefined);
  const authenticate = apiKey({ credentials: { get: getStored }, clock: () => NOW });
  expect((await authenticate(readRequest({ headers: { "X-API-KEY": key } }))).owner).toBe("acme");
  for (const headers of [
    { "X-API-KEY": "evil", "x-api-key": key },
    { "X-API-KEY": key, "x-api-key": "evil" },
    { "X-API-KEY": key, "x-api-key": key },
  ])
    await expect(authenticate(readRequest({ headers }))).rejects.toMatchObject({
      code: "invalid_credentials",
    });
});
