import { fileURLToPath } from "node:url";
import { type HouseAnswer, HouseThread } from "./house-thread.ts";
import { machineClock } from "./machine-clock.ts";
import { type HouseSettings, type OpenedWorld, OWN_WORLD } from "./messages.ts";
import type { Countinghouse, StartOptions, World, WorldOptions } from "./types.ts";

export { CountinghouseError } from "./house-thread.ts";
export type * from "./types.ts";

const SEED = "countinghouse";

/** The code of the thread lies beside this module, in a clone as TypeScript, in the npm package as it was built. */
const workerName = import.meta.url.endsWith(".ts") ? "house-worker.ts" : "house-worker.mjs";
const workerPath = fileURLToPath(new URL(workerName, import.meta.url));

/**
 * Serves the whole of countinghouse inside this process, in memory, on free ports of 127.0.0.1. Everything runs in a
 * thread of its own, so that fake timers, patched globals and the contexts of test runners do not reach it. A process
 * that forgets to close it still ends. Rejects with a `CountinghouseError` for settings that cannot be followed.
 */
export async function startCountinghouse(options: StartOptions = {}): Promise<Countinghouse> {
  const { log } = options;
  const thread = new HouseThread(workerPath, (line, name) => log?.(line, name));
  try {
    const opened = await thread.ask(OWN_WORLD, "start", [settingsOf(options)]);
    const end = async (): Promise<void> => {
      await askToEnd(thread, OWN_WORLD, "end");
      await thread.end();
    };
    const own = worldOf(thread, OWN_WORLD, opened, end);
    const open = async (name: string, given: WorldOptions = {}): Promise<World> =>
      worldOf(thread, name, await thread.ask(name, "open", [sendable(given)]), () =>
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

const settingsOf = ({
  seed = SEED,
  corsOrigins = [],
  log,
  now,
  brand,
}: StartOptions): HouseSettings & object => ({
  seed,
  corsOrigins,
  isLogged: log !== undefined,
  ...sendable({ ...(now !== undefined && { now }), ...(brand !== undefined && { brand }) }),
});

const sendable = ({ now, brand }: WorldOptions): Pick<HouseSettings, "now" | "brand"> => ({
  ...(now !== undefined && { now: Number(now) }),
  ...(brand !== undefined && { brand }),
});

/** The methods that only pass their arguments on. */
const PASSED_ON = [
  "passTime",
  "issueToken",
  "importRecords",
  "advance",
  "fault",
  "clearFaults",
  "reset",
] as const;

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
  const passOn = (method: string) => {
    return async (...given: unknown[]): Promise<unknown> => (await thread.ask(name, method, given)).value;
  };
  return {
    name,
    baseUrl,
    credentials,
    now: () => machineClock() + Number(Atomics.load(shiftMs, 0)),
    ...Object.fromEntries(PASSED_ON.map((method) => [method, passOn(method)])),
    close,
    [Symbol.asyncDispose]: close,
  } as World;
}
