import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectSigned,
  SIGNED_QUERIES,
  type SignedItem,
  signedItems,
  type Variable,
} from "../support/postman-collection.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService("dynalite");
});
afterAll(() => service.close());

/**
 * Runs the script of a request with as much of `pm` as it uses, and no more of Node.js than Postman gives it. That
 * Postman's own sandbox is like this is held by `npm run test:tools`.
 */
async function runScript(
  { event, request }: SignedItem,
  url: URL,
  variables: readonly Variable[],
): Promise<readonly Variable[]> {
  const headers = new Map(request.header.map(({ key, value }) => [key, value]));
  const values = new Map(variables.map(({ key, value }) => [key, value]));
  const pm = {
    request: {
      method: request.method,
      url: { toString: () => url.href.replace(url.origin, "{{baseUrl}}") },
      headers: { upsert: ({ key, value }: Variable) => headers.set(key, value) },
    },
    variables: {
      get: (key: string) => values.get(key),
      replaceIn: (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key) => values.get(key) ?? ""),
    },
  };
  const script = event.flatMap(({ script: { exec } }) => exec).join("\n");
  const globals = { pm, URL, crypto, TextEncoder, Uint8Array, atob, btoa };
  await runInNewContext(`(async () => {\n${script}\n})()`, globals);
  return [...headers].map(([key, value]) => ({ key, value }));
}

describe("the Postman collection", () => {
  test("has a script for the one interface that is signed", () => {
    expect(signedItems.map(({ name }) => name)).toEqual(["List trades"]);
  });

  test.each(SIGNED_QUERIES)("signs the request with the query %j so that the signature is right", (query) =>
    expectSigned(service, query, runScript),
  );
});
