import { afterAll, vi } from "vitest";
import { removeScratchDirectories } from "./scratch.ts";

/** Names with their values. Globals with a getter are left out: some are made, or warn, when they are read. */
type Things = readonly (readonly [string, unknown])[];

const globals = (): Things =>
  Object.entries(Object.getOwnPropertyDescriptors(globalThis)).flatMap(([name, own]) =>
    "value" in own ? [[name, own.value]] : [],
  );
/** Libraries clean up when the process exits, which is nobody else's concern. */
const listeners = (): Things =>
  process
    .eventNames()
    .filter((event) => event !== "exit")
    .map((event) => [`listeners for ${String(event)}`, process.listenerCount(event)]);
const environment = (): Things => Object.entries(process.env);
const directory = (): Things => [["the working directory", process.cwd()]];
const clock = (): Things => [["fake timers", vi.isFakeTimers()]];

/** Everything that the files of a process share, beside their modules. Spies end with each file by themselves. */
const shared = () => new Map([globals, listeners, environment, directory, clock].flatMap((part) => part()));

/**
 * Set up for each file that shares its process (`vitest.config.ts`): the file fails if the next one would run with a stub, a
 * fake clock or a listener of its own. Globals that were not there before are those of libraries, which are loaded once.
 */
const before = shared();
afterAll(removeScratchDirectories);
afterAll(() => {
  const after = shared();
  const left = [...before, ...environment(), ...listeners()]
    .map(([name]) => name)
    .filter((name) => !Object.is(before.get(name), after.get(name)));
  if (left.length > 0) throw new Error(`The file leaves behind: ${[...new Set(left)].join(", ")}.`);
});
