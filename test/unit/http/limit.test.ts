import { describe, expect, test } from "vitest";
import { Failure } from "../../../lib/errors.ts";
import { oneTokenLimit } from "../../../lib/http/contract.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { NOW, sampleChain, sampleContract, sampleEvent } from "../../support/chain.ts";
import { LimitTable, Trouble } from "../../support/limit-table.ts";
import { limitOn } from "../../support/limits.ts";

const limited = (unit: "seconds" | "milliseconds") =>
  ({
    ...sampleContract,
    retryAfterUnit: unit,
    limit: { name: "exchange", costMax: 30, cost: ({ count }: { count: number }) => count * 3 },
  }) as const;

type Parts = Parameters<typeof sampleChain>[0];

function setUp(unit: "seconds" | "milliseconds" = "milliseconds", parts: Parts = {}) {
  const table = new LimitTable();
  const limiter = limitOn(table);
  const contract = limited(unit) as unknown as typeof sampleContract;
  return { table, ...sampleChain({ contract, limiter, ...parts }) };
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
    let answered = 0;
    const answer = async () => {
      answered += 1;
      return { body: "{}" };
    };
    const { call } = setUp(unit, { answer });
    await exhaust(call);
    const response = await call(thirty);
    expect(response.statusCode).toBe(429);
    expect(response.headers["Retry-After"]).toBe(retryAfter);
    expect(JSON.parse(response.body)).toMatchObject({ code: "rate_limited", retry_after_ms: 200 });
    expect(response.headers.RateLimit).toBe('"second";r=10;t=1, "minute";r=910;t=6');
    expect(answered).toBe(3);
  });

  test("is counted for its owner, whichever credential it used", async () => {
    const keys = ["key-1", "key-2", "key-3", "key-4"];
    const authenticate = async () => ({
      owner: "one owner",
      scopes: ["samples.read", keys.pop() ?? "none"],
    });
    const { call } = setUp("milliseconds", { authenticate });
    await exhaust(call);
    expect((await call(thirty)).statusCode).toBe(429);
  });
});

describe("nothing is charged", () => {
  test.each([
    ["without credentials", { headers: {}, rawQueryString: "count=10" }, {}, 401],
    ["to a bad parameter", { rawQueryString: "count=11" }, {}, 400],
    [
      "to a parameter that a lookup refuses",
      {},
      {
        precheck: async () => {
          throw new Failure("unknown_symbol", "No such pair: X");
        },
      },
      400,
    ],
    ["without the scope", {}, { authenticate: async () => ({ owner: "owner-1", scopes: [] }) }, 403],
  ] as [string, Record<string, unknown>, Parts, number][])("%s", async (_, changes, parts, status) => {
    const { table, call } = setUp("milliseconds", parts);
    expect((await call(sampleEvent(changes))).statusCode).toBe(status);
    expect(table.attempts).toBe(0);
  });
});

describe("what is left is said", () => {
  test("on answers and on failures of the use case alike", async () => {
    const answer = async () => {
      throw new Failure("not_found", "There is none.");
    };
    for (const [parts, status] of [
      [{}, 200],
      [{ answer }, 404],
    ] as const) {
      const response = await setUp("milliseconds", parts).call(thirty);
      expect(response.statusCode).toBe(status);
      expect(response.headers.RateLimit).toBe('"second";r=70;t=1, "minute";r=970;t=2');
      expect(response.headers["RateLimit-Policy"]).toBe('"second";q=100;w=1, "minute";q=1000;w=60');
    }
  });

  test("on a refused parameter as far as it is known, and to a stranger the policy alone", async () => {
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

  test("by no endpoint without a limit", async () => {
    expect((await sampleChain().call(sampleEvent())).headers).not.toHaveProperty("RateLimit-Policy");
  });
});

test("without the store, what is left is said of the bucket that stood in", async () => {
  const { table, call } = setUp();
  table.troubles.push(new Trouble("down"));
  const response = await call(thirty);
  expect(response.statusCode).toBe(200);
  expect(response.headers.RateLimit).toBe('"second";r=70;t=3, "minute";r=970;t=18');
});

test("a throttled limit is 503 with a wait, not 429 and not an answer", async () => {
  const { table, call } = setUp();
  table.troubles.push(new Trouble("throttled-key"));
  const response = await call(thirty);
  expect(response.statusCode).toBe(503);
  expect(response.headers["Retry-After"]).toBe("1000");
});

test("a limit without a limiter, or a limiter without a limit, is refused when the endpoint is built", () => {
  const parts = {
    switches: { read: async () => ({ on: true }) as const },
    authenticate: async () => ({ owner: "owner-1", scopes: [] }),
    answer: async () => ({ body: "{}" }),
    clock: () => NOW,
    log: () => {},
  };
  expect(() =>
    endpoint({ ...parts, contract: { ...sampleContract, limit: oneTokenLimit("sample") } }),
  ).toThrow(/limit/);
  expect(() => endpoint({ ...parts, contract: sampleContract, limiter: limitOn() })).toThrow(/limit/);
});
