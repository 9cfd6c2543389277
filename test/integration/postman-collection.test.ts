import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { contractBrand } from "../../lib/brand.ts";
import { sessionOf } from "../../local/page/page-session.ts";
import { filledIn } from "../../page/src/reference/fill-in.ts";
import {
  expectSigned,
  SIGNED_QUERIES,
  type SignedItem,
  signedItems,
  type Variable,
} from "../support/postman-collection.ts";
import { projectText } from "../support/project.ts";
import { startTestService } from "../support/service.ts";

const service = await startTestService("dynalite");
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

const file = (name: string): string => projectText(`docs/api/${name}`);

/** A file of requests as the page saves it. */
async function saved(name: string): Promise<string> {
  const { demo } = service;
  const openApi = '{"paths":{}}';
  return filledIn(
    file(name),
    await sessionOf({ demo, brand: contractBrand, openApi, markets: [], startedAt: 0, aheadMs: 0 }),
  );
}

describe("a file of requests that the page saves", () => {
  test("has a request of each endpoint that needs no signature, which is answered as it stands", async () => {
    const text = await saved("countinghouse.http");
    const values = new Map([...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));
    const requests = text.replace(/\{\{(\w+)\}\}/g, (shown, name) => values.get(name) ?? shown).split("### ");
    const sent = requests.slice(1);
    expect(sent).toHaveLength(4);
    for (const request of sent) {
      const [title, line = "", ...headers] = request.trim().split("\n");
      const answer = await fetch(line.replace("GET ", ""), {
        headers: headers.map((header) => header.split(": ") as [string, string]),
      });
      expect([title, answer.status]).toEqual([title, 200]);
    }
  });

  test("has this start's key, to sign with", async () => {
    const { variable } = JSON.parse(await saved("countinghouse.postman_collection.json")) as {
      readonly variable: readonly Variable[];
    };
    const values = variable.map(({ value }) => value);
    expect(values.filter((value) => value.includes("demo.json"))).toEqual([]);
    const pem = readFileSync(service.demo.exchange.privateKeyFile, "utf8");
    expect(values).toContain(pem.replaceAll(/-----.*-----|\s/g, ""));
  });
});

describe("the Postman collection", () => {
  test("has a script for the one interface that is signed", () => {
    expect(signedItems.map(({ name }) => name)).toEqual(["List trades"]);
  });

  test.each(SIGNED_QUERIES)("signs the request with the query %j so that the signature is right", (query) =>
    expectSigned(service, query, runScript),
  );
});
