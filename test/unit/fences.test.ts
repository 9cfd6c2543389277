import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isOtherAbsence } from "../support/absent-members.ts";
import { findCircles, findRoomCircles } from "../support/circles.ts";
import { type Search, searchCode } from "../support/compiler.ts";
import { domainsOf, findBreaches, type Sources, unreachedFiles } from "../support/fences.ts";
import { projectFiles, projectRoot, projectText } from "../support/project.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { isTextLookUp, LOOK_UP_OWNER } from "../support/text-look-ups.ts";

const sourcesIn = (folder: string): Sources => {
  // Without the examples in a package that was built here.
  const files = projectFiles(`${folder}/**/*.{ts,tsx}`, ["**/dist/**"]);
  // A folder that has moved would be let through unread.
  expect(files, folder).not.toEqual([]);
  return Object.fromEntries(files.map((file) => [file, projectText(file)]));
};

const projectSources = (folders = "lib,functions,infra,local,ops,page,publish,client/src"): Sources =>
  Object.assign({}, ...folders.split(",").map(sourcesIn));

describe("the project keeps its fences", () => {
  test("no file of the project breaks one", async () => {
    const sources = projectSources();
    expect(Object.keys(sources)).toContain("lib/clock.ts");
    expect(await findBreaches(sources)).toEqual([]);
  });

  test("the domains of lib are the folders whose contract has a route, and no others", () => {
    const sources = projectSources();
    const served = Object.keys(sources).filter(
      (file) => /^lib\/[^/]+\/contract\.ts$/.test(file) && /^ {2}route: /m.test(sources[file] ?? ""),
    );
    const folders = served.map((file) => file.split("/")[1]);
    expect(new Set(domainsOf(Object.keys(sources)))).toEqual(new Set(folders));
    expect(folders.length).toBeGreaterThan(3);
  });

  test("every file of lib is reached from a function; what operators alone use is in ops", () =>
    expect(unreachedFiles(projectSources("functions,lib"))).toEqual([]));
});

const findOne = async (file: string, text: string) => {
  const breaches = await findBreaches({ [file]: text });
  expect(breaches).toHaveLength(1);
  expect(breaches[0]?.startsWith(`${file} `)).toBe(true);
};

describe("a breach is found", () => {
  test.each([
    ["lib that imports a function", "lib/http/respond.ts", "../../functions/get-pass.ts"],
    ["lib that imports infra", "lib/http/respond.ts", "../../infra/endpoints.ts"],
    ["a function that imports infra", "functions/get-pass.ts", "../infra/endpoints.ts"],
    ["infra that imports a store", "infra/stacks/api-stack.ts", "../../lib/passes/pass-store.ts"],
    ["infra that imports the local gateway", "infra/app.ts", "../local/start.ts"],
    ["a new domain that imports another", "lib/refunds/leak.ts", "../trades/trade.ts"],
    ["a signature that imports a domain", "lib/signature/leak.ts", "../trades/trade-text.ts"],
    ["a store's part that imports http", "lib/dynamo/leak.ts", "../http/endpoint.ts"],
    ["http that imports auth", "lib/http/leak.ts", "../auth/api-key.ts"],
    ["a layer that imports its neighbour", "lib/json/leak.ts", "../dynamo/read-cache.ts"],
    ["a domain that imports the composition", "lib/passes/leak.ts", "../compose.ts"],
    ["the top of lib that imports a room", "lib/leak.ts", "./json/members.ts"],
    ["the local stack in the reference", "publish/reference/openapi.ts", "../../local/start.ts"],
    ["a test helper in the product", "ops/main.ts", "../test/support/fences.ts"],
    ["an embedded world in the local stack", "local/start.ts", "../publish/embed/house.ts"],
    ["the local stack in the thread of a test", "publish/embed/index.ts", "../../local/local-service.ts"],
    [
      "a part of the local stack in the page",
      "page/src/api/ask.ts",
      "../../../local/control/control-route.ts",
    ],
    ["the page in the local stack", "local/page/page-desk.ts", "../../page/src/app.tsx"],
    ["the page in a function", "functions/get-pass.ts", "../page/src/app.tsx"],
    [
      "a command of the operator in the local stack",
      "local/demo/seed-records.ts",
      "../../ops/import/run-import.ts",
    ],
    ["the client that imports lib", "client/src/shape.ts", "../../lib/trades/trade.ts"],
    ["a part of the client in the command line", "ops/main.ts", "../client/src/budget.ts"],
    ["a domain that imports another", "lib/trades/trade.ts", "../passes/pass.ts"],
    ["middy outside the chain", "lib/http/respond.ts", "@middy/core"],
    ["the SDK outside a store", "lib/passes/read-pass.ts", "@aws-sdk/client-dynamodb"],
    ["the SDK in a function", "functions/get-pass.ts", "@aws-sdk/client-dynamodb"],
    ["the whole of zod", "lib/passes/contract.ts", "zod"],
    ["the local stack that imports its package", "local/start.ts", "../publish/package/installation.ts"],
    ["the CDK in the local gateway", "local/start.ts", "aws-cdk-lib"],
    ["the CDK in the settings of a stage", "infra/stage.ts", "aws-cdk-lib"],
  ])("%s", (_, file, imported) => findOne(file, `import { it } from "${imported}";`));

  test.each([
    ["a re-export across a fence", "lib/env.ts", 'export { stageSchema } from "../infra/stage.ts";'],
    ["a dynamic import across a fence", "lib/env.ts", 'const stage = await import("../infra/stage.ts");'],
    ["an import spread over lines", "lib/env.ts", 'import {\n  stageSchema,\n} from "../infra/stage.ts";'],
    [
      "a domain that takes a type of another",
      "lib/passes/pass.ts",
      'import type { T } from "../trades/trade.ts";',
    ],
    [
      "what an older Node.js of the package lacks",
      "ops/get/verify-download.ts",
      'import { mkdtempDisposable } from "node:fs/promises";\nexport const make = () => mkdtempDisposable("a");',
    ],
    [
      "the environment read in a store",
      "lib/passes/pass-store.ts",
      "export const table = process.env.PASSES_TABLE;",
    ],
    ["the environment taken apart", "lib/log.ts", "export const { env } = process;"],
    ["the clock read in a rule", "lib/passes/pass.ts", "export const now = () => Date.now();"],
    ["the clock read through a new Date", "lib/passes/pass.ts", "export const now = () => new Date();"],
    ["an age by one clock", "lib/dynamo/read-cache.ts", "export const now = () => performance.now();"],
    [
      "the system clock in a pure part",
      "lib/trades/date-range.ts",
      'import { systemClock } from "../clock.ts"; systemClock();',
    ],
    [
      "input in a pure part",
      "lib/signature/ed25519.ts",
      'import { readFileSync } from "node:fs"; readFileSync("x");',
    ],
    ["a line past the log", "lib/passes/read-pass.ts", 'process.stdout.write("read");'],
    ["a line through the console", "lib/passes/read-pass.ts", 'console.warn("read");'],
    ["a metric past their owner", "lib/passes/read-pass.ts", "export const line = { _aws: {} };"],
    ["a status in a handler", "lib/passes/read-pass.ts", "export const answer = { statusCode: 404 };"],
    [
      "a status in a function",
      "functions/get-pass.ts",
      "export const handler = () => ({ statusCode: 200 });",
    ],
    [
      "a fault that may pass, in words of its own",
      "lib/passes/read-pass.ts",
      'export const fault = new Failure("temporarily_unavailable", "down");',
    ],
    ["a branded header", "lib/auth/signed-request.ts", 'export const header = "x-svc-timestamp";'],
    ["the venue code", "local/demo/trades.ts", 'export const venue = "SVCX";'],
    ["the own-account word", "lib/sell-orders/sell-order.ts", 'export const payment = "service";'],
    ["a decision in a function", "functions/get-pass.ts", "if (globalThis.name) throw new Error();"],
    ["a file that is not in kebab-case", "lib/passes/passStore.ts", "export {};"],
  ])("%s", (_, file, text) => findOne(file, text));
});

test("a file of lib that is imported only by others that no function reaches is found", () => {
  const sources = {
    "functions/get-pass.ts": 'import { a } from "../lib/a.ts";',
    "lib/a.ts": 'import type { B } from "./b.ts";',
    "lib/b.ts": 'import { a } from "./a.ts";',
    "lib/c.ts": 'import { a } from "./a.ts";',
    "lib/d.ts": 'import { c } from "./c.ts";',
    "ops/main.ts": 'import { d } from "../lib/d.ts";',
  };
  expect(unreachedFiles(sources)).toEqual(["lib/c.ts", "lib/d.ts"]);
});

describe("what is allowed is let through", () => {
  test.each([
    [
      "a comment that names what code may not",
      "lib/passes/pass.ts",
      "/** Never `Date.now`, `process.env`, X-Svc-. */\nexport {};",
    ],
    [
      "a function that imports lib",
      "functions/get-pass.ts",
      'import { systemClock } from "../lib/clock.ts"; systemClock();',
    ],
    [
      "infra that imports a contract",
      "infra/endpoints.ts",
      'import { getPass } from "../lib/passes/contract.ts"; getPass;',
    ],
    [
      "infra that imports the rules of settings",
      "infra/stage.ts",
      'import { bucketsSchema } from "../lib/rate-limit/settings.ts"; bucketsSchema;',
    ],
    [
      "the local gateway that imports a writer",
      "local/demo/seed.ts",
      'import { p } from "../../lib/passes/put-pass.ts"; p;',
    ],
    [
      "a store that imports the SDK",
      "lib/passes/pass-store.ts",
      'import { DynamoDBClient } from "@aws-sdk/client-dynamodb"; DynamoDBClient;',
    ],
    [
      "a domain that imports what all share",
      "lib/passes/read-pass.ts",
      'import { Failure } from "../errors.ts"; Failure;',
    ],
    [
      "a comparison with another server's status",
      "lib/auth/fetch-text.ts",
      "export const ok = (r: any) => r.statusCode === 200;",
    ],
    ["a date from an instant", "lib/passes/pass.ts", "export const at = (ms: number) => new Date(ms);"],
  ])("%s", async (_, file, text) => {
    expect(await findBreaches({ [file]: text })).toEqual([]);
  });
});

describe("no file imports itself by way of others", () => {
  test("in the project there is no circle", () => {
    const sources = projectSources("lib,functions,infra,local,ops,publish,bench,client/src");
    expect(Object.keys(sources)).toContain("bench/main.ts");
    expect(findCircles(sources)).toEqual([]);
  });

  test("nor one of rooms", () => {
    expect(findRoomCircles(projectSources("lib,functions,infra,local,ops,publish,bench,client/src"))).toEqual(
      [],
    );
  });

  test.each([
    [
      "of two files",
      { "lib/a.ts": 'import { b } from "./b.ts";', "lib/b.ts": 'import { a } from "./a.ts";' },
      ["lib/a.ts → lib/b.ts → lib/a.ts"],
    ],
    [
      "by a type alone",
      { "ops/a.ts": 'import { b } from "./b/b.ts";', "ops/b/b.ts": 'import type { A } from "../a.ts";' },
      ["ops/a.ts → ops/b/b.ts → ops/a.ts"],
    ],
    [
      "of three files, entered from a fourth",
      {
        "bench/main.ts": 'import { a } from "./a.ts";',
        "bench/a.ts": 'export { b } from "./b.ts";',
        "bench/b.ts": 'const c = await import("./c.ts");',
        "bench/c.ts": 'import { type A } from "./a.ts";',
      },
      ["bench/a.ts → bench/b.ts → bench/c.ts → bench/a.ts"],
    ],
    [
      "within a longer one: each is told",
      {
        "local/a.ts": 'import "./b.ts";\nimport "./c.ts";',
        "local/b.ts": 'import "./a.ts";',
        "local/c.ts": 'import "./a.ts";',
      },
      ["local/a.ts → local/b.ts → local/a.ts", "local/c.ts → local/a.ts → local/c.ts"],
    ],
    ["of one file", { "infra/a.ts": 'import { a } from "./a.ts";' }, ["infra/a.ts → infra/a.ts"]],
  ])("a circle %s is found", (_, sources, circles) => {
    expect(findCircles(sources)).toEqual(circles);
  });

  test.each([
    [
      "of two rooms, by four files and a type",
      {
        "local/a/one.ts": 'import { b } from "../b/one.ts";',
        "local/b/two.ts": 'import type { A } from "../a/two.ts";',
      },
      ["local/a → local/b → local/a"],
    ],
    [
      "of three rooms, from inside one of them",
      {
        "ops/a/deep/one.ts": 'import { b } from "../../b/one.ts";',
        "ops/b/one.ts": 'import { c } from "../c/one.ts";',
        "ops/c/one.ts": 'import { a } from "../a/two.ts";',
      },
      ["ops/a → ops/b → ops/c → ops/a"],
    ],
  ])("a circle %s is found", (_, sources, circles) => {
    expect(findRoomCircles(sources)).toEqual(circles);
    expect(findCircles(sources)).toEqual([]);
  });

  test("what lies above the rooms may put them together, and be asked by them", () => {
    const sources = {
      "bench/main.ts": 'import { a } from "./a/one.ts";',
      "bench/a/one.ts": 'import { t } from "../types.ts";\nimport { two } from "./deep/two.ts";',
      "bench/a/deep/two.ts": 'import { one } from "../three.ts";',
    };
    expect(findRoomCircles(sources)).toEqual([]);
  });

  test("a file that is imported by two ways is let through", () => {
    const sources = {
      "lib/a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";',
      "lib/b.ts": 'import { d } from "./d.ts";',
      "lib/c.ts": 'import { d } from "./d.ts";',
      "lib/d.ts": "export const d = 1;",
    };
    expect(findCircles(sources)).toEqual([]);
  });
});

/** Gives what was made the first time. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const isProduct = (file: string): boolean => /^(?:lib|functions|local|ops)\//.test(file);

/** The compiler opens the project for the first test that asks, and looks for everything at once. */
const inProject = once(() =>
  searchCode(projectRoot, {
    lookUps: { isWatched: (file) => file !== LOOK_UP_OWNER && isProduct(file), isFound: isTextLookUp },
    absences: {
      isWatched: (file) => isProduct(file) || /^(?:bench|client|docs|infra|publish|test)\//.test(file),
      isFound: isOtherAbsence,
    },
  }),
);

type Sample = readonly [name: string, code: string, ...found: string[]];

/** What is found in each of some samples, by their names: they are the files of one project. */
function searchSamples(
  given: string,
  samples: readonly Sample[],
  isFound: Search["isFound"],
): Readonly<Record<string, readonly string[]>> {
  const directory = scratchDirectory();
  const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, lib: ["es2024"], types: [] };
  writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const searches = samples.map(([name, code], at): [string, Search] => {
    writeFileSync(path.join(directory, `sample-${at}.ts`), `export {};\n${given}\n${code}\n`);
    return [name, { isWatched: (file) => file === `sample-${at}.ts`, isFound }];
  });
  return searchCode(directory, Object.fromEntries(searches));
}

describe("no plain object is asked by a text that may be any", () => {
  test("no file of the project does it", () => {
    expect(inProject().lookUps).toEqual([]);
  });

  const wrong: Sample[] = [
    [
      "a table of constants",
      "const sides: Record<string, string> = { buy: 'sell' }; sides[name];",
      "sides[name]",
    ],
    ["a table that may be missing", "(table as typeof table | undefined)?.[name];", "?.[name]"],
    ["a name that is put together", "table[name.toLowerCase()];", "table[name.toLowerCase()]"],
    ["a member of a parsed document", "(JSON.parse(name) as any)[name];", "[name]"],
    ["a name of a type that is handed in", "<Key extends string>(key: Key) => table[key];", "[key]"],
    ["a write", "table[name] = name;", "table[name]"],
    ["a question whether it is there", "if (name in table) throw name;", "name in table"],
    ["a list", "declare const any: any; [1, 2][any];", "[1, 2][any]"],
  ];
  const right: Sample[] = [
    ["a name that is written there", "table['buy']; table.buy; 'buy' in table;"],
    ["one of a few names", "declare const side: 'buy' | 'sell'; table[side]; ({ buy: 1, sell: 2 })[side];"],
    ["a name that begins like none", "declare const at: number; table[`#t${at}`];"],
    ["a key of a closed table", "const all = { a: 1 }; declare const key: keyof typeof all; all[key];"],
    [
      "a name of the type that names the members",
      "<Key extends string>(key: Key, ranks: Record<Key, number>) => ranks[key];",
    ],
    ["a place in a list", "declare const at: number; [1, 2][at]; new Uint8Array(2)[at];"],
    ["a map", "new Map<string, string>().get(name);"],
    ["a member that is the object's own", "if (Object.hasOwn(table, name)) throw name;"],
    ["a type", "type Value = (typeof table)[string]; const value: Value = ''; value;"],
  ];
  const given = "declare const table: Record<string, string>; declare const name: string;";
  const inSamples = once(() => searchSamples(given, [...wrong, ...right], isTextLookUp));

  test.each(wrong)("%s is found", (name, _, found) => {
    expect(inSamples()[name]).toEqual([expect.stringContaining(found ?? "")]);
  });

  test.each(right)("%s is let through", (name) => {
    expect(inSamples()[name]).toEqual([]);
  });
});

describe("a member that is absent is left out in one way", () => {
  test("no file of the project leaves one out in another", () => {
    expect(inProject().absences).toEqual([]);
  });

  const wrong: Sample[] = [
    ["a choice of nothing", "({ ...(value === undefined ? {} : { value }) });"],
    ["one by a condition", "({ ...(isWanted ? { value } : {}) });"],
    ["one that is a whole object", "export const whole = value !== undefined ? { value } : {};"],
    ["a value that is taken for false", "({ ...(value && { value }) });"],
    ["a part of one", "declare const all: { of?: object }; ({ ...(all.of && { of: all.of }) });"],
    ["a value that may be null", "declare const no: object | null; ({ ...(no && { no }) });"],
    ["a condition and a value", "({ ...(isWanted && value && { value }) });"],
  ];
  const right: Sample[] = [
    ["a comparison", "({ ...(value !== undefined && { value }) });"],
    ["a condition", "({ ...(isWanted && { isWanted }) });"],
    ["a condition that may be absent", "declare const is: boolean | undefined; ({ ...(is && { is }) });"],
    ["two of them", "({ ...(isWanted && value !== undefined && { value }) });"],
    ["a part of a list", "[...(value === undefined ? [] : [value])];"],
    ["an object that may be empty", "export const marks = isWanted ? { value } : {};"],
  ];
  const given = "declare const value: string | undefined; declare const isWanted: boolean;";
  const inSamples = once(() => searchSamples(given, [...wrong, ...right], isOtherAbsence));

  test.each(wrong)("%s is found", (name) => {
    expect(inSamples()[name]).toHaveLength(1);
  });

  test.each(right)("%s is let through", (name) => {
    expect(inSamples()[name]).toEqual([]);
  });
});
