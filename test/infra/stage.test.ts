import { writeFileSync } from "node:fs";
import path from "node:path";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import { RegionInfo } from "aws-cdk-lib/region-info";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { environmentOf } from "../../infra/environment.ts";
import { MEMORY_MB_DEFAULT } from "../../infra/settings/function-size.ts";
import { RETENTION_DAYS } from "../../infra/settings/log-retention.ts";
import { partitionOf } from "../../infra/settings/partition.ts";
import { parseStage, readStage, stageFileOf } from "../../infra/stage.ts";
import { contractBrand } from "../../lib/brand.ts";
import { passEnv } from "../../lib/passes/contract.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { testStage } from "../support/test-stage.ts";
import { thrownBy } from "../support/thrown-by.ts";

const token = { issuer: "https://identity.test", audience: "api", jwksUrl: "https://identity.test/jwks" };
const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
const minimal = { name: "test", disposable: true, business: { token, idType }, passes: { token } };

const problemsOf = (settings: unknown): string =>
  (thrownBy(() => parseStage(settings, "infra/stages/test.json")) as Error | undefined)?.message ?? "";

test("a minimal stage gets the contracts' brand, at+jwt tokens and no CORS", () => {
  const stage = parseStage(minimal, "infra/stages/test.json");
  expect(stage.brand).toEqual(contractBrand);
  expect(stage.business.token.type).toBe("at+jwt");
  expect(stage.corsOrigins).toEqual([]);
  expect(stage.logRetentionDays).toBe(90);
  expect(stage.accessLogRetentionDays).toBe(30);
  expect(stage.functions.stockSdk).toBe(false);
});

test("each region that the CDK knows is in the partition that the CDK knows", () => {
  const partitions = RegionInfo.regions.map(({ name, partition }) => [name, partition]);
  expect(new Set(partitions.map(([, partition]) => partition)).size).toBe(8);
  expect(RegionInfo.regions.map(({ name }) => [name, partitionOf(name)])).toEqual(partitions);
});

test("logs can be kept for each number of days that the CDK knows, and not without end", () => {
  const offered = Object.values(RetentionDays).filter((days) => typeof days === "number");
  expect([...RETENTION_DAYS, RetentionDays.INFINITE]).toEqual(offered);
});

test("functions have the memory that the bill is computed for, and keep Lambda's own lines, unless a stage says otherwise", () => {
  const { memoryMb, systemLogLevel } = testStage().functions;
  expect({ memoryMb, systemLogLevel }).toEqual({ memoryMb: MEMORY_MB_DEFAULT, systemLogLevel: "INFO" });
});

test("a stage's credentials of the pass callback follow the function's own setting, in its words", () => {
  const { PASS_CREDENTIALS } = passEnv;
  const { credentials } = parseStage(minimal, "infra/stages/test.json").passes;
  expect(PASS_CREDENTIALS.parse(credentials)).toEqual(PASS_CREDENTIALS.parse(undefined));
  const [issue] = PASS_CREDENTIALS.safeParse("password").error?.issues ?? [];
  const problems = problemsOf({ ...minimal, passes: { token, credentials: "password" } });
  expect(problems.endsWith(`passes.credentials: ${issue?.message}`)).toBe(true);
});

test("the example stage is usable as it is, so that a fresh clone synthesizes", () => {
  expect(readStage(stageFileOf(undefined, "example")).name).toBe("example");
});

test("the example stage becomes a protected stage when it is copied, in an account that nobody has", () => {
  expect(readStage(stageFileOf(undefined, "example"))).toMatchObject({
    account: "123456789012",
    disposable: false,
  });
});

test("a path takes precedence over a name, and no stage is meant by default", () => {
  expect(stageFileOf("/etc/stage.json", "production")).toBe("/etc/stage.json");
  expect(stageFileOf(undefined, "production")).toMatch(/\/stages\/production\.json$/);
  expect(() => stageFileOf(undefined, undefined)).toThrow(/^No stage is named\. .* -c stage=prod /);
});

describe("a stage that is not disposable names its account and region", () => {
  const place = { account: "123456789012", region: "eu-central-1" };

  test.each([
    ["both", place, []],
    ["no account", { region: place.region }, ["account"]],
    ["no region", { account: place.account }, ["region"]],
    ["neither", {}, ["account", "region"]],
    ["neither, and `disposable: false`", { disposable: false }, ["account", "region"]],
  ])("%s", (_, settings, missing) => {
    const problems = problemsOf({ ...minimal, disposable: undefined, ...settings });
    const named = [...problems.matchAll(/^ {2}(\w+): must be given, unless `disposable` is true/gm)];
    expect(named.map(([, member]) => member)).toEqual(missing);
  });

  test("and a disposable one need not", () => {
    expect(problemsOf({ ...minimal, disposable: true })).toBe("");
  });
});

test("every problem is named at once, with its path", () => {
  const message = problemsOf({
    ...minimal,
    name: "Test",
    region: "Frankfurt",
    colour: "blue",
    brand: { headerPrefix: "X-Acme", venues: "ACME" },
    business: { token: { ...token, audience: undefined }, idType },
    throttle: { burst: 0 },
  });
  expect(message).toContain("infra/stages/test.json");
  for (const at of [
    "name",
    "region",
    "colour",
    "brand.headerPrefix",
    "brand.venues",
    "business.token.audience",
    "throttle.burst",
  ]) {
    expect(message).toContain(`\n  ${at}: `);
  }
  expect(message.split("\n")).toHaveLength(8);
});

describe("an unusable setting is refused by its path", () => {
  test.each([
    [
      "a limit of more than the 1,000 tokens a second that one item of DynamoDB bears",
      {
        ...minimal,
        rateLimits: { ramp: [{ name: "r", burst: 1, refillTokens: 1_001, refillWindowMs: 1_000 }] },
      },
      "rateLimits.ramp.0.refillTokens",
    ],
    ["nothing at all", undefined, "the file"],
    ["a list", [], "the file"],
    ["a name too long for a table's", { ...minimal, name: "a".repeat(21) }, "name"],
    ["an account of 11 digits", { ...minimal, account: "12345678901" }, "account"],
    ["an account as a number", { ...minimal, account: 123_456_789_012 }, "account"],
    [
      "keys over plain HTTP",
      { ...minimal, business: { token: { ...token, jwksUrl: "http://identity.test/jwks" }, idType } },
      "business.token.jwksUrl",
    ],
    [
      "a host whose name begins with a loopback address",
      { ...minimal, business: { token: { ...token, jwksUrl: "http://127.0.0.1.evil.test/" }, idType } },
      "business.token.jwksUrl",
    ],
    [
      "a key URL that is not a URL",
      { ...minimal, business: { token: { ...token, jwksUrl: "jwks" }, idType } },
      "business.token.jwksUrl",
    ],
    [
      "tokens that live for more than ten years",
      { ...minimal, business: { token: { ...token, lifetimeDaysMax: 3_661 }, idType } },
      "business.token.lifetimeDaysMax",
    ],
    [
      "tokens that live for no day",
      { ...minimal, passes: { token: { ...token, lifetimeDaysMax: 0 } } },
      "passes.token.lifetimeDaysMax",
    ],
    [
      "a day that does not exist",
      { ...minimal, business: { token, idType: { ...idType, deprecatedAt: "2026-02-30T00:00:00Z" } } },
      "business.idType.deprecatedAt",
    ],
    [
      "a sunset before the deprecation",
      { ...minimal, business: { token, idType: { ...idType, sunsetAt: idType.deprecatedAt } } },
      "business.idType.sunsetAt",
    ],
    [
      "a table that there is not",
      { ...minimal, tables: { Transaction: "countinghouse-r1" } },
      "tables.Transaction",
    ],
    ["any origin", { ...minimal, corsOrigins: ["*"] }, "corsOrigins.0"],
    [
      "an origin that browsers spell differently",
      { ...minimal, corsOrigins: ["https://App.test"] },
      "corsOrigins.0",
    ],
    ["the default port of a scheme", { ...minimal, corsOrigins: ["http://app.test:80"] }, "corsOrigins.0"],
    ["an origin with a path", { ...minimal, corsOrigins: ["https://app.test/"] }, "corsOrigins.0"],
    ["a retention that CloudWatch lacks", { ...minimal, logRetentionDays: 91 }, "logRetentionDays"],
    [
      "a retention of the access log that CloudWatch lacks",
      { ...minimal, accessLogRetentionDays: 31 },
      "accessLogRetentionDays",
    ],
    ["a retention that stands for never", { ...minimal, logRetentionDays: 9_999 }, "logRetentionDays"],
    [
      "half a request a second",
      { ...minimal, throttle: { requestsPerSecond: 0.5 } },
      "throttle.requestsPerSecond",
    ],
    [
      "a function that outlasts the gateway",
      { ...minimal, functions: { timeoutSeconds: 30 } },
      "functions.timeoutSeconds",
    ],
    [
      "a function without time for a read's three tries",
      { ...minimal, functions: { timeoutSeconds: 2 } },
      "functions.timeoutSeconds",
    ],
    [
      "a level that Lambda's own lines do not have",
      { ...minimal, functions: { systemLogLevel: "ERROR" } },
      "functions.systemLogLevel",
    ],
    [
      "a word for the SDK as it is published",
      { ...minimal, functions: { stockSdk: "yes" } },
      "functions.stockSdk",
    ],
    ["a base path with its slash at the end", { ...minimal, brand: { basePath: "/api/" } }, "brand.basePath"],
  ])("%s", (_, settings, at) => {
    expect(problemsOf(settings)).toMatch(new RegExp(`^  ${at.replaceAll(".", "\\.")}: `, "m"));
  });
});

describe("a table in place of the stage's own", () => {
  const own = "countinghouse-test-Passes";

  test.each([own, `${own}-r1`, `${own}-r10`])("may be %s", (Passes) => {
    expect(testStage({ tables: { Passes } }).tables.Passes).toBe(Passes);
  });

  test("is refused in a stage without account and region, where nobody could look for it", () => {
    expect(problemsOf({ ...minimal, tables: { Passes: `${own}-r1` } })).toContain(
      "tables.Passes: needs `account` and `region`",
    );
  });

  test.each([
    "countinghouse-test-Pases-r1",
    "countinghouse-test-Trades-r1",
    "countinghouse-prod-Passes-r1",
    `${own}-r`,
    `${own}-r0`,
    `${own}-r01`,
    `${own}-r1 `,
    `${own}-R1`,
    `${own}-r1-r1`,
    "passes-of-march",
    "",
  ])("may not be %j, which the error names with the setting and a name that is right", (Passes) => {
    expect(problemsOf({ ...minimal, tables: { Passes } })).toBe(
      `infra/stages/test.json cannot be used as a stage:\n  tables.Passes: must be the name of a restored copy of this table, such as ${own}-r1, and not ${JSON.stringify(Passes)}`,
    );
  });

  test.each(["RateLimits", "Imports"])("is refused for %s, of which there is no backup", (table) => {
    const tables = { [table]: `countinghouse-test-${table}-r1` };
    expect(problemsOf({ ...minimal, tables })).toContain(`tables.${table}: is not a setting`);
  });
});

test("a limit may have 1,000 tokens a second", () => {
  const ramp = [{ name: "r", burst: 1, refillTokens: 1_000, refillWindowMs: 1_000 }];
  expect(testStage({ rateLimits: { ramp }, throttle: { owners: 1 } }).rateLimits.ramp).toEqual(ramp);
});

test.each([3, 29])("a function may have %i seconds", (timeoutSeconds) => {
  expect(testStage({ functions: { timeoutSeconds } }).functions.timeoutSeconds).toBe(timeoutSeconds);
});

test.each([
  "http://127.0.0.1:3001/jwks",
  "http://localhost/jwks",
  "http://[::1]:8080/jwks",
  "https://identity.test/jwks",
])("keys may come from %s", (jwksUrl) => {
  const stage = testStage({ business: { token: { ...token, jwksUrl }, idType } });
  expect(stage.business.token.jwksUrl).toBe(jwksUrl);
});

test("a file that is missing or is not JSON is refused by its name, with what to do", () => {
  expect(() => readStage("/nowhere/stage.json")).toThrow(
    /^\/nowhere\/stage\.json cannot be read: .*STAGE_FILE=<path>/,
  );
  const file = path.join(scratchDirectory(), "broken.json");
  writeFileSync(file, "{ name: }");
  expect(() => readStage(file)).toThrow(/broken\.json is not JSON/);
});

test("each interface's function gets the longest life of its tokens, by default 366 days", () => {
  const stage = testStage({ business: { token: { ...token, lifetimeDaysMax: 1 }, idType } });
  const daysOf = Object.fromEntries(
    endpoints.map((endpoint) => [
      endpoint.contract.name,
      environmentOf(stage, endpoint).TOKEN_LIFETIME_DAYS_MAX,
    ]),
  );
  expect(daysOf).toEqual({
    "get-transaction": "1",
    "list-transactions": "1",
    "get-pass": "366",
    "get-sell-order": undefined,
    "list-trades": undefined,
  });
});
