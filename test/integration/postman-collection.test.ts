import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sandbox from "postman-sandbox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

interface Item {
  readonly name: string;
  readonly event?: readonly { readonly script: unknown }[];
  readonly request: { readonly url: object };
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

const file = join(import.meta.dirname, "../../docs/api/countinghouse.postman_collection.json");
const collection = JSON.parse(readFileSync(file, "utf8")) as Collection;
const items = collection.item.flatMap(({ item }) => item);
const [signed] = items.filter(({ event }) => event !== undefined);

let service: TestService;
beforeAll(async () => {
  service = await startTestService("dynalite");
});
afterAll(() => service.close());

/** The collection's variables, filled in as their texts say. */
async function filledVariables(): Promise<readonly { key: string; value: string }[]> {
  const { exchange } = service.demo;
  const pem = await readFile(exchange.privateKeyFile, "utf8");
  const given: Readonly<Record<string, string>> = {
    baseUrl: service.baseUrl,
    exchangeKey: exchange.apiKey,
    exchangePrivateKey: pem.replace(/-----.*-----/g, ""),
  };
  return collection.variable.map(({ key, value }) => ({ key, value: given[key] ?? value }));
}

/** The headers of the request for a URL after Postman has run the script before it. */
async function headersAfterScript({ event, request }: Item, url: URL): Promise<Record<string, string>> {
  const values = await filledVariables();
  const context = await promisify(sandbox.createContext.bind(sandbox))({});
  const query = [...url.search.slice(1).matchAll(/([^=&]+)=([^&]*)/g)].map(([, key, value]) => ({
    key,
    value,
  }));
  const asked = { ...request, url: { ...request.url, query } };
  const [script] = event ?? [];
  const { request: sent } = await promisify(context.execute.bind(context))(
    { listen: "prerequest", script: script?.script },
    { context: { request: asked, collectionVariables: { values } } },
  );
  context.dispose();
  const filled = new Map(values.map(({ key, value }) => [`{{${key}}}`, value]));
  return Object.fromEntries(sent.header.map(({ key, value }) => [key, filled.get(value) ?? value]));
}

describe("the Postman collection", () => {
  test("has a script for the one interface that is signed", () => {
    expect(items.filter(({ event }) => event !== undefined).map(({ name }) => name)).toEqual(["List trades"]);
  });

  test.each(["", "?limit=2", "?limit=2&cursor=&start_date=1795467600000", "?limit=2&note=a%20b%2Bc"])(
    "signs the request with the query %j in Postman's own sandbox so that the signature is right",
    async (query) => {
      const target = `/1.0/trades/all/BTC-USD${query}`;
      const url = new URL(target, service.baseUrl);
      const response = await service.get(target, await headersAfterScript(signed as Item, url));
      // A signature is checked before the parameters are, so a 400 has one that is right.
      expect([200, 400]).toContain(response.status);
    },
  );
});
