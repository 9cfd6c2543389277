import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Context } from "aws-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { environmentOf } from "../../infra/environment.ts";
import { fetchText } from "../../lib/auth/fetch-text.ts";
import { ANSWER_MS, runUntil } from "../../lib/deadline.ts";
import type { EndpointHandler } from "../../lib/http/endpoint.ts";
import type { RequestLogEntry } from "../../lib/log.ts";
import { contextWith } from "../support/chain.ts";
import { endpointRequests } from "../support/endpoint-requests.ts";
import { recordStore } from "../support/store-recorder.ts";
import { testStage } from "../support/test-stage.ts";
import { tokenIssuer } from "../support/tokens.ts";

/** A time limit that the test itself ends, when a request has reached the step in which it waits. */
const ENDED_MS = 4_321;
const LONG = { getRemainingTimeInMillis: () => 10_000 } as Context;
/** Functions forget what they remember within this time, and the issuer's keys after ten minutes. */
const MEMORY_MS = 6_000;
const KEYS_MS = 11 * 60_000;
/** Turns of the event loop, which client and store share. */
const TURNS_AT_REST = 100;

const issuer = await tokenIssuer();
const store = await recordStore([issuer.jwk]);
const token = { issuer: "https://identity.test", audience: "https://api.test/x", jwksUrl: store.jwksUrl };
const idType = { deprecatedAt: "2026-07-01T00:00:00Z", sunsetAt: "2027-07-01T00:00:00Z" };
const stage = testStage({ business: { token, idType }, passes: { token } });
const requests = await endpointRequests(issuer, token);

let lines: Partial<RequestLogEntry>[];
let output: { mockRestore(): void };

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  timersOf(((callback: () => void, delayMs: number) => {
    if (delayMs !== ENDED_MS - ANSWER_MS) return startTimer(callback, delayMs);
    endTime = callback;
    return undefined;
  }) as typeof startTimer);
  // With 0, a repetition that is still to come comes at once.
  vi.spyOn(Math, "random").mockReturnValue(0);
});
beforeEach(() => {
  lines = [];
  output = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0);
});
afterEach(() => {
  store.swallows = () => false;
  output.mockRestore();
});
afterAll(() => {
  timersOf(startTimer);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  store.close();
});

/** Fires the timer of the chain's deadline, which it takes from `node:timers`. */
let endTime = (): void => {};
const { setTimeout: startTimer } = timers;
const timersOf = (chosen: typeof startTimer): void => {
  timers.setTimeout = chosen;
  syncBuiltinESMExports();
};

/** Settles when nothing is under way in either direction, except what was swallowed. */
async function comeToRest(): Promise<void> {
  for (let turns = 0, calls = store.log.length; turns < TURNS_AT_REST; turns += 1) {
    await nextTurn();
    if (store.log.length !== calls) turns = 0;
    calls = store.log.length;
  }
}

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** A function in the environment that it is deployed with, and a call that takes it through every step. */
async function startFunction(name: string) {
  const deployed = endpoints.find(({ contract }) => contract.name === name);
  if (deployed === undefined) throw new Error(`There is no endpoint ${name}.`);
  const environment = {
    ...environmentOf(stage, deployed),
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "key-id",
    AWS_SECRET_ACCESS_KEY: "not-a-secret",
    AWS_ENDPOINT_URL_DYNAMODB: store.url,
  };
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
  vi.resetModules();
  const { handler } = (await import(`../../functions/${name}.ts`)) as { handler: EndpointHandler };
  return (context: Context) => handler(requests[name]?.().at(-1), context);
}

describe.each(endpoints.map(({ contract: { name }, tokens }) => [name, tokens !== undefined] as const))(
  "%s",
  (name, readsTokens) => {
    test("answers 503 before its time is over whatever it waits for, and asks for nothing after that", async () => {
      const call = await startFunction(name);
      // The recorder refuses the first charge that it sees.
      await call(LONG);
      const callsOfRequest = async (): Promise<string[]> => {
        pass(MEMORY_MS);
        store.log.length = 0;
        expect((await call(LONG)).statusCode).toBe(200);
        return [...store.log].sort();
      };
      const asked = new Set<string>();
      store.swallows = (made, key) => asked.add(`${made} ${key}`).size < 0;
      const usual = await callsOfRequest();
      // Comes last: after a failed fetch, the keys are looked for again half a minute later.
      if (readsTokens) asked.add("GET ");
      expect(asked.size).toBeGreaterThanOrEqual(4);

      for (const swallowed of asked) {
        pass(swallowed === "GET " ? KEYS_MS : MEMORY_MS);
        lines.length = 0;
        const reached = Promise.withResolvers<void>();
        store.swallows = (made, key) => {
          if (`${made} ${key}` !== swallowed) return false;
          reached.resolve();
          return true;
        };
        const answer = call(contextWith(ENDED_MS));
        await reached.promise;
        await comeToRest();
        endTime();
        const { statusCode, headers, body } = await answer;
        expect([swallowed, statusCode, JSON.parse(body).code]).toEqual([
          swallowed,
          503,
          "temporarily_unavailable",
        ]);
        expect(headers).toHaveProperty(["Retry-After"]);
        expect(headers).toHaveProperty(["Request-Id"]);
        expect(lines).toMatchObject([{ status: 503, error_id: JSON.parse(body).error_id }]);
        await store.givenUp();
        store.swallows = () => false;
        // Any call that is left would be made meanwhile.
        expect([swallowed, await callsOfRequest()]).toEqual([swallowed, usual]);
        expect(lines.filter(({ status }) => status !== undefined)).toHaveLength(2);
      }
    });
  },
);

test("a silent store is asked three times, and given up well before a time limit that a stage may have", async () => {
  const call = await startFunction("get-sell-order");
  await call(LONG);
  store.log.length = 0;
  store.swallows = (made) => made.endsWith("-SellOrders");
  const answers = await Promise.all([1_000, 3_000, 10_000].map((limitMs) => call(contextWith(limitMs))));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  const byStore = lines.filter(({ fault }) => fault !== undefined);
  expect(byStore.map(({ fault }) => fault?.name)).toEqual(["TimeoutError", "TimeoutError"]);
  expect(store.log.filter((made) => made.includes("-SellOrders"))).toHaveLength(2 + 3 + 3);
});

test("a fetch of the issuer's keys ends with its request", async () => {
  const asked = Promise.withResolvers<void>();
  store.swallows = () => {
    asked.resolve();
    return true;
  };
  const request = new AbortController();
  const fetching = runUntil(request.signal, () => fetchText(new URL(store.jwksUrl)));
  await asked.promise;
  request.abort(new Error("answered"));
  await expect(fetching).rejects.toMatchObject({ cause: { cause: { message: "answered" } } });
});
