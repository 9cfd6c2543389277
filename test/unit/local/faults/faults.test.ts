import { describe, expect, it } from "vitest";
import { endpoints } from "../../../../infra/endpoints.ts";
import { faultKinds } from "../../../../local/faults/fault-kinds.ts";
import { Faults } from "../../../../local/faults/faults.ts";
import { findEndpoints, servedEndpoints } from "../../../../local/faults/find-routes.ts";
import type { Invocable } from "../../../../local/gateway/request-handler.ts";
import type { GatewayResponse } from "../../../../local/gateway/response.ts";
import type { FunctionPool } from "../../../../local/runtime/function-pool.ts";

const routes = endpoints.map(({ contract: { method, route, name } }) => ({
  routeKey: `${method} ${route}`,
  functionName: name,
  integrationTimeoutMs: 30_000,
}));
const orderRoute = routes.find(
  ({ functionName }) => functionName === "get-sell-order",
) as (typeof routes)[number];

/** Faults on a service whose pools only say which they are, and whose waits are noted. */
function startFaults() {
  const events: string[] = [];
  const faults = new Faults({
    routes,
    endpoints,
    basePath: "",
    clock: () => 0,
    wait: async (ms) => void events.push(`waited ${ms}`),
    startPool: async (functionName) => {
      events.push(`started ${functionName}`);
      return {
        retire: async () => void events.push(`retired ${functionName}`),
        close: async () => void events.push(`closed ${functionName}`),
      } as unknown as FunctionPool;
    },
  });
  /** Sends a request to the sell orders, whose function answers with a status. */
  const send = async (statusCode = 200): Promise<GatewayResponse> => {
    const invoke = async (pool?: Invocable): Promise<GatewayResponse> => {
      events.push(pool === undefined ? "ran" : "ran with a spoiled store");
      return { statusCode, headers: {}, body: Buffer.from("body") };
    };
    return await (faults.interfere(orderRoute)?.(invoke, {} as never) ?? invoke());
  };
  return { faults, events, send };
}

describe("a request meets", () => {
  it("nothing while no fault is set, and again once it is cleared", async () => {
    const { faults, events, send } = startFaults();
    expect(await send()).not.toHaveProperty("problem");
    await faults.set({ route: "get-sell-order", fault: "gateway-503" });
    await faults.clear("get-sell-order");
    expect(await send()).not.toHaveProperty("problem");
    expect(events).toEqual(["ran", "ran"]);
  });

  it("`timeout`: no function runs, and the gateway gives up when its own time is over", async () => {
    const { faults, events, send } = startFaults();
    await faults.set({ route: "get-sell-order", fault: "timeout" });
    expect((await send()).statusCode).toBe(503);
    expect(events).toEqual(["waited 30000"]);
  });

  it("`slow`: the answer is the function's, after the time that was asked for, or three seconds", async () => {
    const { faults, events, send } = startFaults();
    await faults.set({ route: "get-sell-order", fault: "slow", delayMs: 7 });
    expect((await send()).statusCode).toBe(200);
    await faults.set({ route: "get-sell-order", fault: "slow" });
    await send();
    expect(events).toEqual(["ran", "waited 7", "ran", "waited 3000"]);
    expect(faults.list().map(({ effect }) => effect)).toEqual(["answers late, by 3 s"]);
  });

  it("a fault that delays nothing takes no time to delay by", async () => {
    const { faults } = startFaults();
    for (const fault of [...faultKinds.keys()].filter((name) => name !== "slow"))
      await expect(faults.set({ route: "get-sell-order", fault, delayMs: 7 })).rejects.toThrow(
        `Only the fault slow has a time by which it delays an answer, not ${fault}.`,
      );
    expect(faults.list()).toEqual([]);
  });

  it.each(["cut", "reset"] as const)(
    "`%s`: the answer is the function's, and so ends its connection",
    async (ending) => {
      const { faults, send } = startFaults();
      await faults.set({ route: "get-sell-order", fault: ending });
      expect(await send()).toMatchObject({ statusCode: 200, ending });
    },
  );

  it("the fault of a store: the function runs apart, and the hit counts only if the fault made the answer", async () => {
    const { faults, events, send } = startFaults();
    await faults.set({ route: "get-sell-order", fault: "503", times: 1 });
    expect(await send(401)).not.toHaveProperty("problem");
    expect(faults.list()).toMatchObject([{ hits: 0, state: "on" }]);
    expect(await send(503)).toMatchObject({ problem: "on purpose: the fault 503" });
    expect(faults.list()).toMatchObject([{ hits: 1, state: "used up" }]);
    await send();
    expect(events).toEqual([
      "started get-sell-order",
      "ran with a spoiled store",
      "ran with a spoiled store",
      "ran",
    ]);
  });
});

describe("the environments of a fault", () => {
  it("start once, and end when the fault is cleared or the service closes", async () => {
    const { faults, events } = startFaults();
    await faults.set({ route: "get-sell-order", fault: "503" });
    await faults.set({ route: "get-sell-order", fault: "503", times: 1 });
    await faults.set({ route: "get-pass", fault: "500" });
    await faults.clear("get-sell-order");
    await faults.close();
    expect(events).toEqual([
      "started get-sell-order",
      "started get-pass",
      "retired get-sell-order",
      "closed get-pass",
    ]);
  });
});

describe("a fault that is not there is refused", () => {
  it("with the name that was meant", async () => {
    await expect(startFaults().faults.set({ route: "all", fault: "resett" })).rejects.toThrow(
      'There is no fault "resett". Did you mean reset?',
    );
  });

  it("with the way to a status that comes from a request", async () => {
    for (const fault of ["200", "304", "404", "410"])
      await expect(startFaults().faults.set({ route: "all", fault })).rejects.toThrow("docs/sandbox.md");
  });

  it("before the endpoint is looked for, and each that is there is set on every endpoint", async () => {
    for (const fault of faultKinds.keys())
      expect(await startFaults().faults.set({ route: "all", fault })).toHaveLength(endpoints.length);
  });
});

const served = servedEndpoints(routes, endpoints);
const find = (given: string, basePath = ""): string[] =>
  findEndpoints(given, served, basePath).map(({ endpoint }) => endpoint.contract.name);

describe("an endpoint is found", () => {
  it.each([
    "get-sell-order",
    "/sell-orders/{order_id}",
    "GET /sell-orders/{order_id}",
    "/sell-orders/01kdvdna00vzkwfkrqvamzw1gz",
    "/sell-orders/abc?x=1",
    "http://127.0.0.1:3000/sell-orders/abc",
  ])("by %s", (given) => {
    expect(find(given)).toEqual(["get-sell-order"]);
  });

  it("by a path behind the base path, and not by one that only begins like it", () => {
    expect(find("/api/transactions", "/api")).toEqual(["list-transactions"]);
    expect(find("https://h/api/transactions?count=1", "/api")).toEqual(["list-transactions"]);
    expect(() => find("/apitransactions", "/api")).toThrow("no endpoint");
  });
});

it.each([
  ["get-sel-order", "get-sell-order"],
  ["GET /transactoins", "GET /transactions"],
])("for %s, %s is offered beside the list of all", (given, meant) => {
  expect(() => find(given)).toThrow(
    `Did you mean ${meant}? The endpoints are ${endpoints[0]?.contract.name} (${endpoints[0]?.contract.route}),`,
  );
});

it("for a word that is like no endpoint's, only the list is given", () => {
  expect(() => find("zebra")).toThrow(
    /^There is no endpoint "zebra"\. The endpoints are .+ and all for every one\.$/,
  );
});
