import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineAt } from "../../local/store/engine-at.ts";
import { checkRules, rules } from "../../local/store/rules/check-rules.ts";
import { plainBehaviour } from "../../local/store/store-behaviour.ts";
import { strictStore } from "../../local/store/strict-store.ts";
import { exceptionOf, type StoreHandler, type StoreRequest } from "../../local/store/wire.ts";
import { NOW } from "../support/chain.ts";
import { type EngineKind, installedEngines, type RawEngine, startRawEngine } from "../support/engine.ts";
import { projectPath } from "../support/project.ts";
import {
  brokenBy,
  partsItem,
  refusedThoughLegal,
  ruleSamples,
  sampleShapes,
  sampleTables,
} from "../support/rule-samples/rule-samples.ts";

/** A store on an engine of its own, with the tables of the samples, for the tests of one `describe`. */
function withTables(kind: EngineKind, storeOn: (engine: RawEngine) => StoreHandler) {
  let engine: RawEngine;
  let store: StoreHandler;
  beforeAll(async () => {
    engine = await startRawEngine(kind);
    store = storeOn(engine);
    for (const input of sampleTables)
      expect((await store({ operation: "CreateTable", input })).status).toBe(200);
    await store({ operation: "PutItem", input: { TableName: "plain", Item: partsItem } });
  });
  afterAll(() => engine.close());
  return { store: () => store };
}

const samplesOf = (name: string) => ruleSamples[name] ?? { breaks: {}, keeps: [] };
const breaksOf = (name: string) => brokenBy(samplesOf(name));

test("every rule has samples on both of its sides, and every sample has a rule", () => {
  expect(Object.keys(ruleSamples).sort()).toEqual(rules.map(({ name }) => name).sort());
  for (const { name } of rules) {
    expect(breaksOf(name), name).not.toEqual([]);
    expect(samplesOf(name).keeps, name).not.toEqual([]);
  }
});

describe("the rules by themselves", () => {
  test.each(rules.map((rule) => [rule.name, rule] as const))(
    "%s: refused in DynamoDB's words",
    (name, rule) => {
      for (const { request, message } of breaksOf(name)) {
        expect(rule.operations).toContain(request.operation);
        expect(checkRules({ ...request, tables: sampleShapes })).toEqual({
          code: rule.code ?? "ValidationException",
          message,
        });
      }
    },
  );

  test.each(rules.map(({ name }) => name))("%s: a request that just keeps it passes", (name) => {
    for (const request of samplesOf(name).keeps) {
      expect(checkRules({ ...request, tables: sampleShapes }), JSON.stringify(request)).toBeUndefined();
    }
  });

  test("requests that an engine wrongly refuses pass", () => {
    for (const { request } of refusedThoughLegal) {
      expect(checkRules({ ...request, tables: sampleShapes })).toBeUndefined();
    }
  });
});

describe.each(installedEngines)("%s behind the rules", (kind) => {
  const { store } = withTables(kind, ({ endpoint }) => {
    const engine = engineAt(endpoint);
    return strictStore({ engine, behaviour: plainBehaviour, clock: () => NOW, random: Math.random });
  });

  test.each(rules.map((rule) => [rule.name, rule] as const))(
    "%s: refuses in DynamoDB's words",
    async (name, rule) => {
      for (const { request, message } of breaksOf(name)) {
        const answer = await store()(request);
        expect([answer.status, answer.body.message]).toEqual([400, message]);
        expect(exceptionOf(answer)).toBe(rule.code ?? "ValidationException");
      }
    },
  );

  test.each(rules.map(({ name }) => name))("%s: takes a request that just keeps it", async (name) => {
    for (const request of samplesOf(name).keeps) {
      const { status, body } = await store()(request);
      expect({ status, body }, JSON.stringify(request)).toMatchObject({ status: 200 });
    }
  });
});

/** Whether a process that sends a request to the embedded engine ends, gets no answer, or meets a fault of the engine. */
const endsEngine = (request: StoreRequest): boolean =>
  spawnSync(process.execPath, [victim, JSON.stringify(request)]).status !== 0;
const victim = projectPath("test/support/engine-victim.ts");

describe("the embedded engine without the rules, in a process that may end", () => {
  const ending = rules.filter(({ endedBy = [] }) => endedBy.includes("dynalite")).map(({ name }) => name);

  test.each(ending)("ends or fails by a request that breaks %s", (name) => {
    expect(breaksOf(name).some(({ request }) => endsEngine(request))).toBe(true);
  });

  test("answers any other request", () => {
    expect(endsEngine({ operation: "ListTables", input: {} })).toBe(false);
  });
});

describe.each(installedEngines)("%s without the rules", (kind) => {
  const { store } = withTables(kind, ({ endpoint }) => engineAt(endpoint).handle);

  const bearable = rules.filter(({ endedBy = [] }) => !endedBy.includes(kind));
  const keeps = bearable.filter(({ keptBy }) => keptBy.includes(kind)).map(({ name }) => name);
  test.each(keeps)("refuses requests that break %s", async (name) => {
    for (const { request } of breaksOf(name)) {
      const { status } = await store()(request);
      expect(status, JSON.stringify(request)).toBeGreaterThanOrEqual(400);
      expect(status, JSON.stringify(request)).toBeLessThan(500);
    }
  });

  const passes = bearable.filter(({ keptBy }) => !keptBy.includes(kind)).map(({ name }) => name);
  test.each(passes)("takes a request that breaks %s", async (name) => {
    const statuses: number[] = [];
    for (const { request } of breaksOf(name)) {
      statuses.push((await store()(request)).status);
    }
    expect(statuses).toContain(200);
  });

  test.each(rules.map(({ name }) => name))("takes requests that just keep %s", async (name) => {
    for (const request of samplesOf(name).keeps) {
      const { status, body } = await store()(request);
      expect({ status, body }, JSON.stringify(request)).toMatchObject({ status: 200 });
    }
  });

  test("refuses the legal requests that it is known to refuse", async () => {
    for (const { request, by } of refusedThoughLegal) {
      const { status } = await store()(request);
      expect(status).toBe(by === kind ? 400 : 200);
    }
  });
});
