import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { projectPath } from "./project.ts";
import type { TestService } from "./service.ts";

/** A request of the collection that a script signs before it is sent. */
export interface SignedItem {
  readonly name: string;
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: { readonly method: string; readonly url: object; readonly header: readonly Variable[] };
}

export interface Variable {
  readonly key: string;
  readonly value: string;
}

interface Collection {
  readonly variable: readonly Variable[];
  readonly item: readonly { readonly item: readonly (SignedItem | { readonly name: string })[] }[];
}

const file = projectPath("docs/api/countinghouse.postman_collection.json");
const collection = JSON.parse(readFileSync(file, "utf8")) as Collection;

/** The requests that have a script. */
export const signedItems: readonly SignedItem[] = collection.item
  .flatMap(({ item }) => item)
  .filter((item) => "event" in item);

/** Queries whose bytes a signature covers, and a client may write in several ways. */
export const SIGNED_QUERIES = [
  "",
  "?limit=2",
  "?limit=2&cursor=&start_date=1795467600000",
  "?limit=2&note=a%20b%2Bc",
] as const;

/** Runs the script of a request to a URL, with the collection's variables, and resolves with the headers to send. */
type ScriptRunner = (
  item: SignedItem,
  url: URL,
  variables: readonly Variable[],
) => Promise<readonly Variable[]>;

/** Expects that a service accepts the signature that the script makes for a query. */
export async function expectSigned(
  service: TestService,
  query: string,
  runScript: ScriptRunner,
): Promise<void> {
  const target = `/1.0/trades/all/BTC-USD${query}`;
  const variables = await filledVariables(service);
  const [item] = signedItems;
  if (item === undefined) throw new Error("The collection has no script.");
  const sent = await runScript(item, new URL(target, service.baseUrl), variables);
  const filled = new Map(variables.map(({ key, value }) => [`{{${key}}}`, value]));
  const headers = Object.fromEntries(sent.map(({ key, value }) => [key, filled.get(value) ?? value]));
  const response = await service.get(target, headers);
  // A signature is checked before the parameters are, so a 400 has one that is right.
  expect([200, 400]).toContain(response.status);
}

/** The collection's variables, filled in as their texts say. */
async function filledVariables({ baseUrl, demo: { exchange } }: TestService): Promise<readonly Variable[]> {
  const pem = await readFile(exchange.privateKeyFile, "utf8");
  const given: Readonly<Record<string, string>> = {
    baseUrl,
    exchangeKey: exchange.apiKey,
    exchangePrivateKey: pem.replace(/-----.*-----/g, ""),
  };
  return collection.variable.map(({ key, value }) => ({ key, value: given[key] ?? value }));
}
