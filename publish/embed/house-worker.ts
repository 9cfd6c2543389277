import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import { ControlRefusal } from "../../local/control/control-route.ts";
import { catchEngineErrors } from "../../local/store/request-under-way.ts";
import { type Call, checkArguments, refusalOf } from "./doors.ts";
import { House, type HouseSettings, type WorldSettings } from "./house.ts";
import { type HouseCall, type HouseMessage, type OpenedWorld, readArguments } from "./messages.ts";
import type { OpenWorld } from "./world.ts";
import { callWorld } from "./world-calls.ts";

/** The thread that runs the worlds of one house. */

// A fault of V8 that `local/require-node.mjs` describes: this thread's functions run WebAssembly too.
setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

catchEngineErrors();

const tell = (message: HouseMessage): void => parentPort?.postMessage(message);

let house: House | undefined;

function houseOf(): House {
  if (house === undefined) throw new Error("The house was not started.");
  return house;
}

/** @param settings those of the start, whose log is a function in the test's own thread. */
function houseWith({ log, ...settings }: HouseSettings & { readonly log?: unknown } = {}): House {
  const line = (world: string, text: string): void => tell({ world, line: text });
  return new House({ ...settings, ...(log !== undefined && { line }) });
}

async function follow({ id, world, method, given }: HouseCall): Promise<HouseMessage> {
  const args = readArguments(given);
  checkArguments(method as Call, args);
  switch (method) {
    case "startCountinghouse":
      house = houseWith(args[0] as HouseSettings | undefined);
      return opened(id, await house.open(world));
    case "world":
      return opened(id, await houseOf().open(String(args[0]), args[1] as WorldSettings | undefined));
    case "close":
      await houseOf().closeWorld(world);
      return { id };
    case "end":
      await houseOf().close();
      return { id };
    default: {
      const open = await houseOf().world(world);
      if (open === undefined) throw new ControlRefusal(`The world ${world} was closed.`);
      const value = await callWorld(open, method, args);
      return { id, ...(value !== undefined && { json: JSON.stringify(value) }) };
    }
  }
}

const opened = (id: number, { baseUrl, credentials, clockShift }: OpenWorld): HouseMessage => ({
  id,
  json: JSON.stringify({ baseUrl, credentials } satisfies OpenedWorld),
  clockShift: clockShift.memory,
});

parentPort?.on("message", (call: HouseCall) => {
  follow(call).then(tell, (error: unknown) => tell({ id: call.id, ...refusalOf(error) }));
});
