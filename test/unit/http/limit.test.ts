import { describe, expect, test, vi } from "vitest";
import { Failure } from "../../../lib/errors.ts";
import { type SampleParts, sampleChain, sampleContract, sampleEvent } from "../../support/chain.ts";
import { FailedCall, LimitTable } from "../../support/limit-table.ts";
import { limitOn } from "../../support/limits.ts";

type Parts = NonNullable<Parameters<typeof sampleChain>[0]>;

/** A chain on the exchange's limit, whose requests cost three tokens for each `count`. */
function setUp(
  unit: "seconds" | "milliseconds" = "milliseconds",
  { answer = async () => ({ body: "{}" }), ...parts }: Parts = {},
) {
  const table = new LimitTable();
  const limiter = limitOn(table);
  const contract = { ...sampleContract, retryAfterUnit: unit } as unknown as typeof sampleContract;
  const plan: SampleParts["plan"] = async ({ query }) => ({ cost: query.count * 3, answer });
  return { table, ...sampleChain({ contract, limiter, plan, ...parts }) };
}

const thirty = sampleEvent({ rawQueryString: "count=10" });

async function exhaust(call: (event: unknown) => Promise<unknown>) {
  for (let request = 0; request < 3; request += 1) await call(thirty);
}

describe("a request beyond the limit", () => {
  test.each([
    ["milliseconds", "200"],
    ["seconds", "1"],
  ] as const)("is 429 with Retry-After in %s, and does not reach the use case", async (unit, retryAfter) => {
    const answer = vi.fn(async () => ({ body: "{}" }));
    const { call } = setUp(unit, { answer });
    await exhaust(call);
    const response = await call(thirty);
    expect(response.statusCode).toBe(429);
    expect(response.headers["Retry-After"]).toBe(retryAfter);
    expect(JSON.parse(response.body)).toMatchObject({ code: "rate_limited", retry_after_ms: 200 });
    expect(response.headers.RateLimit).toBe('"second";r=10;t=1, "minute";r=910;t=6');
    expect(answer).toHaveBeenCalledTimes(3);
  });

  test("is counted for its owner, whichever credential it used", async () => {
    const keys = ["key-1", "key-2", "key-3", "key-4"];
    const scopes = () => ["samples.read", keys.pop() ?? "none"];
    const authenticate = async () => ({ owner: "one owner", scopes: scopes() });
    const { call } = setUp("milliseconds", { authenticate });
    await exhaust(call);
    expect((await call(thirty)).statusCode).toBe(429);
  });
});

describe("nothing is charged", () => {
  const noScope = async () => ({ owner: "owner-1", scopes: [] });
  const refusing = () => Promise.reject(new Failure("unknown_symbol", "No such pair: X"));
  test.each<[string, Record<string, unknown>, Parts, number]>([
    ["without credentials", { headers: {}, rawQueryString: "count=10" }, {}, 401],
    ["to a bad parameter", { rawQueryString: "count=11" }, {}, 400],
    ["to a parameter that the plan refuses", {}, { plan: refusing }, 400],
    ["without the scope", {}, { authenticate: noScope }, 403],
  ])("%s", async (_, changes, parts, status) => {
    const { table, call } = setUp("milliseconds", parts);
    expect((await call(sampleEvent(changes))).statusCode).toBe(status);
    expect(table.attempts).toBe(0);
  });
});

describe("the RateLimit headers are sent", () => {
  test("on answers and failures alike", async () => {
    const answer = () => Promise.reject(new Failure("not_found", "There is none."));
    for (const parts of [{}, { answer }]) {
      const response = await setUp("milliseconds", parts).call(thirty);
      expect(response.statusCode).toBe("answer" in parts ? 404 : 200);
      expect(response.headers.RateLimit).toBe('"second";r=70;t=1, "minute";r=970;t=2');
      expect(response.headers["RateLimit-Policy"]).toBe('"second";q=100;w=1, "minute";q=1000;w=60');
    }
  });

  test("on a refused parameter as far as the state is known, and to a stranger with the policy alone", async () => {
    const { call } = setUp();
    await call(thirty);
    const refused = await call(sampleEvent({ rawQueryString: "count=x" }));
    expect(refused.statusCode).toBe(400);
    expect(refused.headers.RateLimit).toBe('"second";r=70;t=1, "minute";r=970;t=2');
    const stranger = await call(sampleEvent({ headers: {} }));
    expect(stranger.statusCode).toBe(401);
    expect(stranger.headers).toHaveProperty("RateLimit-Policy");
    expect(stranger.headers).not.toHaveProperty("RateLimit");
  });
});

test("without the store, the headers describe the bucket that stood in", async () => {
  const { table, call } = setUp();
  table.failures.push(new FailedCall("down"));
  const response = await call(thirty);
  expect(response.statusCode).toBe(200);
  expect(response.headers.RateLimit).toBe('"second";r=70;t=3, "minute";r=970;t=18');
});

test("a throttled limit is 503 with a wait, not 429 and not an answer", async () => {
  const { table, call } = setUp();
  table.failures.push(new FailedCall("throttled-key"));
  const response = await call(thirty);
  expect(response.statusCode).toBe(503);
  expect(response.headers["Retry-After"]).toBe("1000");
});

describe("a plan", () => {
  test("is made before its cost is charged, and answered after that, each once", async () => {
    const steps: string[] = [];
    const answer = async () => {
      steps.push("answer");
      return { body: "{}" };
    };
    const plan = async () => {
      steps.push("plan");
      return { cost: 7, answer };
    };
    const charge = async (owner: string, cost: number) => {
      steps.push(`${owner} pays ${cost}`);
      return { waitMs: 0, headers: {} };
    };
    const { call } = sampleChain({ plan, limiter: { charge, headersOf: () => ({}) } });
    expect((await call(sampleEvent())).statusCode).toBe(200);
    expect(steps).toEqual(["plan", "owner-1 pays 7", "answer"]);
  });

  test("tells the charge which credentials proved the caller", async () => {
    const charge = vi.fn(async () => ({ waitMs: 0, headers: {} }));
    const proven = { owner: "owner-1", scopes: ["samples.read"] };
    for (const principal of [{ ...proven, credentials: ["jws#a"] }, proven])
      await sampleChain({
        limiter: { charge, headersOf: () => ({}) },
        authenticate: async () => principal,
      }).call(sampleEvent());
    expect(charge.mock.calls).toEqual([
      ["owner-1", 1, ["jws#a"]],
      ["owner-1", 1, undefined],
    ]);
  });

  test("has the parameters as they were checked, the caller, and the request's headers and query as they came", async () => {
    const requests: unknown[] = [];
    const plan: SampleParts["plan"] = async (request) => {
      requests.push(request);
      return { cost: 1, answer: async () => ({ body: "{}" }) };
    };
    await sampleChain({ plan }).call(sampleEvent({ rawQueryString: "word=%61&word=b" }));
    expect(requests).toEqual([
      {
        path: { id: "1" },
        query: { count: 5, word: ["a", "b"] },
        principal: { owner: "owner-1", scopes: ["samples.read"] },
        headers: { authorization: "Bearer good" },
        rawQuery: "word=%61&word=b",
      },
    ]);
  });

  test("is made only for an authenticated caller with the scope and valid parameters", async () => {
    const plan = async () => expect.unreachable("a plan was made");
    const authenticate = async () => ({ owner: "owner-1", scopes: [] });
    const statusOf = async (parts: Parts, changes: Record<string, unknown>) =>
      (await sampleChain({ plan, ...parts }).call(sampleEvent(changes))).statusCode;
    expect(await statusOf({}, { headers: {} })).toBe(401);
    expect(await statusOf({ authenticate }, {})).toBe(403);
    expect(await statusOf({}, { rawQueryString: "count=x" })).toBe(400);
  });
});
