import type { Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "../../infra/endpoints.ts";
import { readEnv } from "../../lib/env.ts";
import { type ErrorCode, Failure } from "../../lib/errors.ts";
import { statusOf } from "../../lib/http/error-response.ts";
import { ingestEnv } from "../../lib/ingest/settings.ts";
import { describeFault, logOf } from "../../lib/log.ts";
import { outageReport } from "../../lib/rate-limit/report-outage.ts";
import { upkeepEnv } from "../../lib/upkeep/settings.ts";
import { NOW, sampleChain, sampleEvent } from "../support/chain.ts";
import { codeIn, sectionsOf } from "../support/markdown.ts";
import { lineFaults } from "../support/metric-lines.ts";
import { projectText } from "../support/project.ts";
import { thrownBy } from "../support/thrown-by.ts";

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The members that Lambda reads from a line: one of its levels, and a time as RFC 3339 writes it. */
const acceptable = {
  level: expect.stringMatching(/^(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)$/),
  timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
};
const log = logOf({ stage: "test", endpoint: "get-sample" });
const at = { timestamp: new Date(NOW).toISOString() };

const lineOf = async (answer: () => Promise<{ body: string }>): Promise<unknown> => {
  await sampleChain({ answer, log }).call(sampleEvent());
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^[^\n]*\n$/);
  expect(lineFaults(written[0] ?? "")).toEqual([]);
  return JSON.parse(written[0] ?? "");
};

/** Codes whose lines must remain when an operator keeps only warnings and errors. */
const ERRORS: ReadonlySet<string> = new Set(["internal_error", "temporarily_unavailable"]);

describe("every line has a level and a time that Lambda accepts:", () => {
  test.each(Object.keys(statusOf))("a request that is answered with %s", async (code) => {
    const line = await lineOf(() => Promise.reject(new Failure(code as ErrorCode, "what was wrong")));
    expect(line).toMatchObject(acceptable);
    expect(line).toMatchObject({ ...at, code, level: ERRORS.has(code) ? "ERROR" : "INFO" });
  });

  test.each([
    ["whose answer is a fault", "ERROR", () => Promise.reject(new TypeError("x"))],
    ["that succeeds", "INFO", async () => ({ body: "{}" })],
  ])("a request %s", async (_, level, answer) => {
    expect(await lineOf(answer)).toMatchObject({ ...acceptable, ...at, level });
  });

  test("a decision without the store, which is a warning and keeps its metric", () => {
    outageReport("sample", { clock: () => NOW, log })(new Error("down"));
    expect(written).toHaveLength(1);
    expect(lineFaults(written[0] ?? "")).toEqual([]);
    const line = JSON.parse(written[0] ?? "");
    expect(line).toMatchObject({ ...acceptable, ...at, level: "WARN", RateLimitOutage: 1, limit: "sample" });
    expect(line).toMatchObject({ stage: "test", endpoint: "get-sample", _aws: { Timestamp: NOW } });
  });
});

test("a fault whose name and message never end is told by their beginnings", () => {
  const error = Object.assign(new Error("m".repeat(1_000_000)), {
    name: "n".repeat(1_000_000),
    $fault: "server",
  });
  const { name, message } = describeFault(error);
  expect([name.length, message?.length]).toEqual([100, 1_000]);
});

test("a fault tells the code of a connection and the id of a request, by their forms, and no text of others", () => {
  const thrown = (members: object) => {
    const { frames: _, ...told } = describeFault(Object.assign(new Error("planted"), members));
    return told;
  };
  const requestId = "4KBNVRGD25RG1KEO9UT4V3FQDJVV4KQNSO5AEMVJF66Q9ASUAAJG";
  expect(thrown({ code: "ECONNREFUSED" })).toEqual({ name: "Error", code: "ECONNREFUSED" });
  expect(thrown({ $metadata: { requestId } })).toEqual({ name: "Error", request_id: requestId });
  for (const members of [
    { code: "planted", $metadata: { requestId: "planted in a text" } },
    { code: 12, $metadata: {} },
  ])
    expect(thrown(members)).toEqual({ name: "Error" });
});

test.each([
  ["ingest-records", ingestEnv],
  ["report-expiry", upkeepEnv],
  ...endpoints.map(({ contract: { name, env } }) => [name, env] as const),
] as const)(
  "an unusable environment of %s is told by the names of its variables, and by no value",
  (_, schema) => {
    const names = Object.keys(schema.shape);
    // As where the whole of zod is loaded, whose words name what was unknown.
    const { localeError } = z.config();
    z.config(z.locales.en());
    onTestFinished(() => void z.config({ localeError }));
    const inJson = ['{"planted":1}', '["planted"]', '[{"planted":"planted"}]'];
    for (const value of ["", "planted {", ...inJson, "planted+jws planted"]) {
      const variables = Object.fromEntries(names.map((name) => [name, value]));
      const told = describeFault(thrownBy(() => readEnv(schema, variables))).message;
      expect(told).toMatch(/^The environment is not usable\. /);
      expect(told).toContain("SETTINGS_TABLE: must be a table name");
      expect(told).not.toContain("planted");
    }
  },
);

test("every line says where it comes from, unless it says itself which endpoint it is about", () => {
  const line = { ...at, level: "INFO" } as const;
  const about = { ...line, endpoint: "get-other" };
  log(line);
  log(about);
  expect(written.map((text) => JSON.parse(text))).toEqual([
    { stage: "test", endpoint: "get-sample", ...line },
    { stage: "test", ...about },
  ]);
});

test("docs/operations.md tells every member of a request's line, and no other", async () => {
  vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-6b05fad0-1bae89e2512ec92d5d9438a0");
  const answer = async () => {
    throw new TypeError("x");
  };
  await sampleChain({ answer, log }).call(sampleEvent(), { awsRequestId: "lambda-1" } as Context);
  await sampleChain({ log }).call(sampleEvent({ headers: {} }));
  vi.unstubAllEnvs();
  const members = new Set(written.flatMap((line) => Object.keys(JSON.parse(line))));
  const page = projectText("docs/operations.md");
  const [rows = []] = sectionsOf(page).find(({ title }) => title === "Read the logs")?.tables ?? [];
  expect(rows.flatMap(({ member }) => codeIn(member)).toSorted()).toEqual([...members].toSorted());
});
