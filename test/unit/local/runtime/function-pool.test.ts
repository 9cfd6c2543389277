import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../lib/clock.ts";
import {
  ENVIRONMENTS_MAX,
  FunctionPool,
  KEPT_MS,
  SPARE_KEPT_MS,
  SPARE_MAX,
} from "../../../../local/runtime/function-pool.ts";
import { readApplication } from "../../../../local/template/template.ts";
import { apiResources, writeAssembly } from "../../../support/assembly.ts";

/** A function that answers when the test lets it, so that requests can be under way at the same time. */
const CODE = `
  import { threadId } from "node:worker_threads";
  const gate = new BroadcastChannel("gate");
  const opened = new Promise((resolve) => { gate.onmessage = resolve; });
  export const held = async (event) => {
    if (event.isHeld) {
      gate.postMessage("here");
      await opened;
    }
    return threadId;
  };`;

const pools: FunctionPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** A pool whose environments age by a clock that the test moves. */
function openPool() {
  const Resources = apiResources({ held: { routeKey: "GET /held" } });
  const assembly = writeAssembly({ stacks: { api: { Resources } }, code: { "index.mjs": CODE } });
  const [definition] = readApplication(assembly).functions;
  if (definition === undefined) throw new Error("The template has no function.");
  let now = 0;
  const pool = new FunctionPool(definition, {
    variables: {},
    clock: systemClock,
    steady: () => now,
    log: () => {},
    pools: () => pools,
  });
  pools.push(pool);
  const passMs = async (ms: number): Promise<number> => {
    now += ms;
    await pool.endIdle();
    return pool.size;
  };
  return { pool, passMs };
}

/** The thread that answered a request. */
async function call(pool: FunctionPool, isHeld = false): Promise<string> {
  const outcome = await pool.invoke(JSON.stringify({ isHeld }), "id");
  if (outcome === "throttled" || outcome.kind === "failure") throw new Error(JSON.stringify(outcome));
  return outcome.payload;
}

/** Makes requests that are under way at the same time, so that there are as many environments. */
async function callTogether(pool: FunctionPool, count: number): Promise<readonly string[]> {
  const gate = new BroadcastChannel("gate");
  let here = 0;
  gate.addEventListener("message", () => {
    here += 1;
    if (here === count) gate.postMessage("open");
  });
  const answers = await Promise.all(Array.from({ length: count }, () => call(pool, true)));
  gate.close();
  return answers;
}

describe("the environments of a function", () => {
  it("that was only loaded end soon, and its next request starts another", async () => {
    const { pool, passMs } = openPool();
    await pool.warm();
    expect(await passMs(SPARE_KEPT_MS - 1)).toBe(1);
    expect(await passMs(1)).toBe(0);
    expect(await call(pool)).toMatch(/^\d+$/);
    expect([pool.size, pool.loadFault]).toEqual([1, undefined]);
  });

  it("beyond the first start when they are needed, and end first when they are not", async () => {
    const { pool, passMs } = openPool();
    expect(new Set(await callTogether(pool, 2)).size).toBe(2);
    expect(await passMs(SPARE_KEPT_MS - 1)).toBe(2);
    await call(pool);
    expect(await passMs(1)).toBe(1);
    expect(await passMs(KEPT_MS - 2)).toBe(1);
    expect(await passMs(1)).toBe(0);
  });

  it("are as many as are needed: one that is asked again and again stays the only one", async () => {
    const { pool, passMs } = openPool();
    const first = await call(pool);
    for (let at = 0; at < 5; at += 1) {
      expect(await passMs(KEPT_MS - 1)).toBe(1);
      expect(await call(pool)).toBe(first);
    }
  });

  it("are one for each function, and beyond them as many as there are cores for all together", async () => {
    const [{ pool: first }, { pool: second }] = [openPool(), openPool()];
    await callTogether(first, ENVIRONMENTS_MAX);
    const callAll = () => Promise.all(Array.from({ length: 2 * ENVIRONMENTS_MAX }, () => call(second)));
    const answers = callAll();
    const spareLeft = SPARE_MAX - (ENVIRONMENTS_MAX - 1);
    expect([first.size, second.size]).toEqual([ENVIRONMENTS_MAX, Math.min(ENVIRONMENTS_MAX, 1 + spareLeft)]);
    await answers;
    await first.endIdle(0);
    const later = callAll();
    expect(second.size).toBe(ENVIRONMENTS_MAX);
    await later;
  });

  it("are not started once the pool is closed, however late a request finds it", async () => {
    const { pool } = openPool();
    await pool.close();
    await pool.warm();
    expect(await pool.invoke("{}", "id")).toBe("throttled");
    expect(pool.size).toBe(0);
  });

  it("that are at work are not ended, however long it takes", async () => {
    const { pool, passMs } = openPool();
    const gate = new BroadcastChannel("gate");
    const here = new Promise((resolve) => gate.addEventListener("message", resolve, { once: true }));
    const answer = call(pool, true);
    await here;
    expect(await passMs(10 * KEPT_MS)).toBe(1);
    gate.postMessage("open");
    expect(await answer).toMatch(/^\d+$/);
    gate.close();
  });
});
