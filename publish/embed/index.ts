import { fileURLToPath } from "node:url";
import { CountinghouseError, type HouseAnswer, HouseThread } from "./house-thread.ts";
import { machineClock } from "./machine-clock.ts";
import { type OpenedWorld, OWN_WORLD } from "./messages.ts";
import { oldNode } from "./old-node.ts";
import type { Countinghouse, StartOptions, World, WorldOptions } from "./types.ts";

export { CountinghouseError } from "./house-thread.ts";
export type * from "./types.ts";

/** The code of the thread lies beside this module, in a clone as TypeScript, in the npm package as it was built. */
const workerName = import.meta.url.endsWith(".ts") ? "house-worker.ts" : "house-worker.mjs";
const workerPath = fileURLToPath(new URL(workerName, import.meta.url));

/**
 * Serves the whole of countinghouse inside this process, in memory, on free ports of 127.0.0.1. Everything runs in a
 * thread of its own, so that fake timers, patched globals and the contexts of test runners do not reach it. A process
 * that forgets to close it still ends. Rejects with a `CountinghouseError` for settings that cannot be followed, and in a
 * Node.js that is too old.
 */
export async function startCountinghouse(options?: StartOptions): Promise<Countinghouse> {
  const problem = oldNode();
  if (problem !== undefined) throw new CountinghouseError(problem);
  const thread = new HouseThread(workerPath, (line, name) => options?.log?.(line, name));
  try {
    const opened = await thread.ask(OWN_WORLD, "startCountinghouse", [dated(options)]);
    const end = async (): Promise<void> => {
      await askToEnd(thread, OWN_WORLD, "end");
      await thread.end();
    };
    const own = worldOf(thread, OWN_WORLD, opened, end);
    const open = async (name: string, given?: WorldOptions): Promise<World> =>
      worldOf(thread, name, await thread.ask(OWN_WORLD, "world", [name, dated(given)]), () =>
        askToEnd(thread, name, "close"),
      );
    return Object.assign(own, { world: open });
  } catch (error) {
    await thread.end();
    throw error;
  }
}

/** Ends a world or the house, unless the thread has ended with all of them: then nothing is left to end. */
async function askToEnd(thread: HouseThread, world: string, method: "close" | "end"): Promise<void> {
  try {
    await thread.ask(world, method, []);
  } catch (error) {
    if (!thread.isEnded) throw error;
  }
}

/** Settings with a date as an instant: as JSON, it could not be told from a text. Whatever else was given stays. */
function dated(settings: WorldOptions | undefined): unknown {
  const now = settings?.now;
  return typeof now === "object" && now !== null ? { ...settings, now: Number(now) } : settings;
}

/**
 * How many arguments each method passes on, which does nothing else. Others are left out: a runner's hook gives the test's
 * context to `reset`.
 */
const PASSED_ON = {
  passTime: 1,
  issueToken: 1,
  importRecords: 2,
  advance: 2,
  fault: 3,
  clearFaults: 1,
  reset: 0,
} as const;

function worldOf(
  thread: HouseThread,
  name: string,
  { value, clockShift }: HouseAnswer,
  end: () => Promise<void>,
): World {
  const { baseUrl, credentials } = value as OpenedWorld;
  const shiftMs = new BigInt64Array(clockShift as SharedArrayBuffer);
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  const passOn = (method: string, count: number) => {
    return async (...given: unknown[]): Promise<unknown> =>
      (await thread.ask(name, method, given.slice(0, count))).value;
  };
  return {
    name,
    baseUrl,
    credentials,
    now: () => machineClock() + Number(Atomics.load(shiftMs, 0)),
    ...Object.fromEntries(
      Object.entries(PASSED_ON).map(([method, count]) => [method, passOn(method, count)]),
    ),
    close,
    [Symbol.asyncDispose]: close,
  } as World;
}
