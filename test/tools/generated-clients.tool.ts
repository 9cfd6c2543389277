import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepDigits } from "../../docs/examples/typescript/exact-fetch.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { startTestService, type TestService } from "../support/service.ts";

/*
 * The clients of docs/amounts.md, made by the generators' own commands with the line and the settings that it shows,
 * compiled by TypeScript 5, and run against the local service.
 */

const root = resolve(import.meta.dirname, "../..");
const packages = join(import.meta.dirname, "node_modules");
const document = readFileSync(join(root, "docs/api/openapi.json"), "utf8");
const page = readFileSync(join(root, "docs/amounts.md"), "utf8");
const line = /^## Generated clients.*?^```sh\n(.*?)^```/ms.exec(page)?.[1] ?? "";
const rows = sectionsOf(page).find(({ title }) => title === "Generated clients")?.tables[0] ?? [];

/** The code that the row of a generator shows, of which a part is given. */
const shown = (generator: string, part: string): string =>
  rows
    .filter((row) => row.generator?.includes(generator))
    .flatMap((row) => Object.values(row).flatMap(codeIn))
    .find((code) => code.includes(part)) ?? `There is no ${part} for ${generator}`;

/** An order of which a double loses digits. */
const ORDER = "01kdvdna00vzkwfkrqvamzw1gz";

/** What TypeScript has to say of the order's type: it errs where it finds no error. */
const TYPES = `
export const typed = (order: Order): readonly string[] => [order.crypto.amount, order.exchange_rate];
export const later: Order["status"] = "ON_HOLD";
// @ts-expect-error
export const amount = (order: Order): number => order.crypto.amount;
// @ts-expect-error
export const state = (order: Order): unknown => order.state;
`;

const programs = {
  "openapi-fetch": `import createClient from "openapi-fetch";
import { exactFetch } from "./exact-fetch";
import { apiKey, baseUrl } from "./given";
import type { components, paths } from "./paths";
type Order = components["schemas"]["SellOrder"];
${TYPES}
type Trades = components["schemas"]["TradePage"];
export const cursor = (trades: Trades): string | undefined => trades.metadata.next_cursor;

const client = createClient<paths>({ baseUrl, ${shown("openapi-fetch", "fetch:")} });
export const read = async (): Promise<Order | undefined> => {
  const params = { path: { order_id: "${ORDER}" } };
  return (await client.GET("/sell-orders/{order_id}", { params, headers: { "X-API-KEY": apiKey } })).data;
};
`,
  "hey-api": `import { exactFetch } from "./exact-fetch";
import { apiKey, baseUrl, passes } from "./given";
import { getPass, getSellOrder, type SellOrder as Order } from "./hey";
import { createClient } from "./hey/client";
${TYPES}
const client = createClient({ baseUrl, ${shown("openapi-fetch", "fetch:")} });
export const read = async (): Promise<Order | undefined> =>
  (await getSellOrder({ client, auth: apiKey, path: { order_id: "${ORDER}" } })).data;

const { partnerReference: partner_reference, version, token } = passes;
const getting = { client, path: { partner_reference } };
const headers = { "Service-Api-Version": version };
const get = (tag?: string) =>
  getPass({ ...getting, headers: tag ? { ...headers, "If-None-Match": tag } : headers, ${shown("hey-api", "a.scheme")} });
export const statuses = async () => {
  const { response } = await get();
  const unchanged = await get(response?.headers.get("etag") ?? "");
  const twice = await getPass({ ...getting, headers, ${shown("hey-api", "auth: token")} });
  return [response?.status, unchanged.response?.status, twice.response?.status];
};
export * as zod from "./hey/zod.gen";
`,
  orval: `import { apiKey } from "./given";
import { getSellOrder, type SellOrder as Order } from "./orval/fetch";
${TYPES}
export const read = async (): Promise<unknown> =>
  (await getSellOrder("${ORDER}", { headers: { "X-API-KEY": apiKey } })).data;
export * as zod from "./orval/zod";
`,
} as const;
const generators = Object.keys(programs) as readonly (keyof typeof programs)[];

interface Client {
  read(): Promise<unknown>;
  /** Of a pass: with the credentials that the page shows, unchanged, and with those that the page warns of. */
  statuses(): Promise<readonly number[]>;
  readonly zod: Readonly<Record<string, { safeParse(body: unknown): object }>>;
}

let service: TestService;
const folder = scratchDirectory();
const written = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const run = (program: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(packages, program), ...args], { cwd: folder });

beforeAll(async () => {
  service = await startTestService("dynalite");
  symlinkSync(packages, join(folder, "node_modules"));
  mkdirSync(join(folder, "docs"));
  cpSync(join(root, "docs/api"), join(folder, "docs/api"), { recursive: true });
  cpSync(join(root, "docs/examples/typescript/exact-fetch.ts"), join(folder, "exact-fetch.ts"));
  const { baseUrl, ramp, passes } = service.demo;
  const given = { baseUrl, apiKey: ramp.apiKey, passes };
  written("given.ts", `export const { baseUrl, apiKey, passes } = ${JSON.stringify(given)} as const;`);
  await promisify(execFile)("sh", ["-c", line], { cwd: folder });
  await run("openapi-typescript/bin/cli.js", "exact.json", "--output", "paths.ts");
  written("hey-api.config.mjs", HEY_API_CONFIG);
  await run("@hey-api/openapi-ts/bin/run.js", "--file", "hey-api.config.mjs");
  written("orval.config.mjs", orvalConfig(baseUrl));
  await run("orval/dist/bin/orval.mjs", "--config", "orval.config.mjs");
  for (const name of generators) written(`${name}.ts`, programs[name]);
});
afterAll(() => service.close());

const HEY_API_CONFIG = `export default {
  input: "exact.json",
  output: "hey",
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", { name: "zod", ${shown("hey-api", "dates:")} }],
};
`;

const orvalConfig = (baseUrl: string): string => `const input = "./exact.json";
const baseUrl = ${JSON.stringify(baseUrl)};
const override = { fetch: { ${shown("orval", "jsonReviver")} } };
export default {
  fetch: { input, output: { target: "orval/fetch.ts", client: "fetch", baseUrl, override } },
  zod: { input, output: { target: "orval/zod.ts", client: "zod" } },
};
`;

/** A program, ready to be used. */
async function clientOf(name: string): Promise<Client> {
  const outfile = join(folder, `${name}.mjs`);
  const options = { bundle: true, format: "esm", platform: "node", logLevel: "silent" } as const;
  await build({ ...options, entryPoints: [join(folder, `${name}.ts`)], outfile });
  return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Client;
}

test("the generated types compile, name an amount as text, and take a word that is new", async () => {
  const options = "--strict --noEmit --pretty false --target es2022 --module esnext --types node".split(" ");
  const files = generators.map((name) => `${name}.ts`);
  const compiled = run("typescript/bin/tsc", ...options, "--moduleResolution", "bundler", ...files);
  expect(await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({
    stdout: "",
  });
});

test("the comment of each amount warns of its digits, and the known words stand in its type", () => {
  const amounts = document.match(/"type": "number"/g)?.length ?? 0;
  expect(amounts).toBeGreaterThan(0);
  for (const name of ["paths.ts", "hey/types.gen.ts", "orval/fetch.ts"]) {
    const types = readFileSync(join(folder, name), "utf8");
    expect(types.match(/A double loses digits of it/g)?.length, name).toBeGreaterThanOrEqual(amounts);
    expect(types, name).toMatch(/['"]AWAITING_DEPOSIT['"] \| ['"]PROCESSING['"].*\| string;/);
  }
});

describe.each(generators)("a client of %s", (name) => {
  test("keeps every digit of an order", async () => {
    expect(await (await clientOf(name)).read()).toMatchObject({
      crypto: { amount: "0.991438254750782685" },
      fees_partner_currency: { ramp_fee: { amount: "33.80" } },
    });
  });
});

test("hey-api's client sends a token for a pass once with the credentials that are shown, and else is refused", async () => {
  expect(await (await clientOf("hey-api")).statuses()).toEqual([200, 304, 401]);
});

/** The recorded bodies of the document, by the operation that answers them. */
const answers = Object.values((JSON.parse(document, keepDigits) as { readonly paths: Paths }).paths).flatMap(
  ({ get }) =>
    Object.values(get.responses["200"].content["application/json"].examples).map(
      ({ value }) => [get.operationId, value] as const,
    ),
);

type Paths = Readonly<
  Record<string, { readonly get: { readonly operationId: string; readonly responses: Responses } }>
>;
type Responses = Readonly<Record<"200", { readonly content: Readonly<Record<"application/json", Content>> }>>;
interface Content {
  readonly examples: Readonly<Record<string, { readonly value: object }>>;
}

/** A body with a word, and a member, that a later release might add. */
const newer = (body: object): object =>
  JSON.parse(
    JSON.stringify({ ...body, later: "word" }).replaceAll(
      /"(type|state|status|s)":"\w+"/g,
      '"$1":"later_word"',
    ),
  ) as object;

describe.each([
  ["hey-api", (id: string) => `z${id.replace(/^./, (first) => first.toUpperCase())}Response`],
  ["orval", (id: string) => `${id.replace(/^./, (first) => first.toUpperCase())}Response`],
] as const)("the zod schemas of %s", (name, nameOf) => {
  test("take every recorded answer, and its words and members of later", async () => {
    const { zod } = await clientOf(name);
    expect(new Set(answers.map(([id]) => id)).size).toBe(5);
    for (const [id, body] of answers)
      for (const one of [body, Array.isArray(body) ? body.map(newer) : newer(body)])
        expect(zod[nameOf(id)]?.safeParse(one), `${id} ${JSON.stringify(one)}`).toMatchObject({
          success: true,
        });
  });
});
