import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../infra/endpoints.ts";
import { type Stage, StageError } from "../../infra/stage.ts";
import { isOfUpkeep, resourcesOf, synthesize, testStage } from "../support/synthesize.ts";

interface Throttle {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

function throttlesOf(settings: Readonly<Record<string, unknown>> = {}) {
  const { api } = synthesize(testStage(settings));
  const { RouteSettings, DefaultRouteSettings } =
    resourcesOf(api, "AWS::ApiGatewayV2::Stage")[0]?.Properties ?? {};
  return {
    routes: RouteSettings as Readonly<Record<string, Throttle>>,
    all: DefaultRouteSettings as Throttle,
    reserved: resourcesOf(api, "AWS::Lambda::Function")
      .filter((lambda) => !isOfUpkeep(lambda))
      .map(({ Properties }) => Properties.ReservedConcurrentExecutions),
  };
}

const sumOf = (throttles: readonly Throttle[], member: keyof Throttle): number =>
  throttles.reduce((sum, throttle) => sum + throttle[member], 0);

describe("the gateway's throttles", () => {
  const { routes, all } = throttlesOf();

  test("are one for each route, so that a flood on one route takes nothing from another", () => {
    const keys = endpoints.map(({ contract: { method, route } }) => `${method} ${route}`);
    expect(Object.keys(routes).sort()).toEqual(keys.sort());
  });

  test("let ten owners of a route use up their whole limit at once", () => {
    for (const { contract } of endpoints) {
      const throttle = routes[`${contract.method} ${contract.route}`];
      // Every request costs a token of every bucket, so one bucket is enough to bound what an owner can ask for.
      const allowed = contract.limit.defaultBuckets.some(
        ({ burst, refillTokens, refillWindowMs }) =>
          (throttle?.ThrottlingBurstLimit ?? 0) >= 10 * burst &&
          (throttle?.ThrottlingRateLimit ?? 0) >= (10 * refillTokens * 1_000) / refillWindowMs,
      );
      expect([contract.name, allowed]).toEqual([contract.name, true]);
    }
  });

  test("leave the stage's throttle far above what all routes may use together", () => {
    const together = Object.values(routes);
    expect(all.ThrottlingRateLimit).toBeGreaterThan(4 * sumOf(together, "ThrottlingRateLimit"));
    expect(all.ThrottlingBurstLimit).toBeGreaterThan(sumOf(together, "ThrottlingBurstLimit"));
  });

  test("follow the limits of the stage, the number of owners, and what is set for a route", () => {
    const ramp = [
      { name: "hour", burst: 3_000, refillTokens: 3_600, refillWindowMs: 3_600_000 },
      { name: "second", burst: 7, refillTokens: 4, refillWindowMs: 1_000 },
    ];
    const given = throttlesOf({
      rateLimits: { ramp },
      throttle: { owners: 3, routes: { "get-pass": { requestsPerSecond: 11, burst: 12 } } },
    });
    expect(given.routes["GET /sell-orders/{order_id}"]).toEqual({
      ThrottlingRateLimit: 12,
      ThrottlingBurstLimit: 21,
    });
    expect(given.routes["GET /passes/{partner_reference}"]).toEqual({
      ThrottlingRateLimit: 11,
      ThrottlingBurstLimit: 12,
    });
  });

  test("are refused where the routes together could use up the stage's, which would starve a route", () => {
    const rate = sumOf(Object.values(routes), "ThrottlingRateLimit");
    const burst = sumOf(Object.values(routes), "ThrottlingBurstLimit");
    const stageOf = (changes: object) => () =>
      testStage({ throttle: { requestsPerSecond: rate, burst, ...changes } });
    expect(stageOf({})).not.toThrow();
    expect(stageOf({ requestsPerSecond: rate - 1 })).toThrow(
      `throttle.requestsPerSecond: must be at least ${rate},`,
    );
    expect(stageOf({ burst: burst - 1 })).toThrow(`throttle.burst: must be at least ${burst},`);
  });

  test("never let the routes use up the stage's throttle, whatever a stage sets", () => {
    const bucket = fc.record({
      name: fc.constant("b"),
      burst: fc.integer({ min: 1, max: 500 }),
      refillTokens: fc.constantFrom(1, 10, 100, 1_000),
      refillWindowMs: fc.constantFrom(1_000, 60_000),
    });
    const throttle = fc.record({
      requestsPerSecond: fc.integer({ min: 1, max: 20_000 }),
      burst: fc.integer({ min: 1, max: 20_000 }),
      owners: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(throttle, bucket, (given, ramp) => {
        let stage: Stage;
        try {
          stage = testStage({ throttle: given, rateLimits: { ramp: [ramp] } });
        } catch (error) {
          return error instanceof StageError && error.message.includes("throttle.");
        }
        const sum = (member: "requestsPerSecond" | "burst") =>
          stage.throttle.routes.reduce((total, route) => total + route[member], 0);
        return sum("requestsPerSecond") <= given.requestsPerSecond && sum("burst") <= given.burst;
      }),
    );
  });

  test("are refused for an endpoint that there is not", () => {
    const throttle = { routes: { "get-passes": { requestsPerSecond: 1, burst: 1 } } };
    expect(() => testStage({ throttle })).toThrow("throttle.routes.get-passes: is not a setting");
  });
});

describe("environments of Lambda", () => {
  test("are reserved for no function by default, because a new account has too few", () => {
    expect(throttlesOf().reserved).toEqual(endpoints.map(() => undefined));
  });

  test("are reserved for the function that the stage names", () => {
    const { reserved } = throttlesOf({ functions: { reservedConcurrency: { "list-trades": 20 } } });
    expect(reserved).toEqual(
      endpoints.map(({ contract }) => (contract.name === "list-trades" ? 20 : undefined)),
    );
  });

  test("are refused for an endpoint that there is not, and in no number", () => {
    const stageOf = (reservedConcurrency: object) => () => testStage({ functions: { reservedConcurrency } });
    expect(stageOf({ nothing: 1 })).toThrow("functions.reservedConcurrency.nothing: is not a setting");
    expect(stageOf({ "get-pass": 0 })).toThrow(
      "functions.reservedConcurrency.get-pass: must be a whole number",
    );
  });
});
