import { mkdirSync, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/** How far work has come when it is killed: bytes in the engine's log, or lines in a rejects file. */
export type Moment =
  | { readonly kind: "logged"; readonly data: string; readonly bytes: number }
  | { readonly kind: "refused"; readonly rejects: string; readonly lines: number };

/** The complete lines of a file; none while the file does not exist. */
export function wholeLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The engine begins a new log at each opening and whenever one is full; the size of the newest counts. */
function loggedBytes(engineDirectory: string): number {
  const newest = readdirSync(engineDirectory)
    .filter((name) => name.endsWith(".log"))
    .sort()
    .at(-1);
  if (newest === undefined) return 0;
  return statSync(join(engineDirectory, newest), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Calls `act` once, as soon as the files on disk show that the moment has come. To be called before the work starts.
 */
export function onMoment(moment: Moment, act: () => void): Disposable {
  const isLogged = moment.kind === "logged";
  const directory = isLogged ? join(moment.data, "dynamodb") : dirname(moment.rejects);
  mkdirSync(directory, { recursive: true });
  // The lock marks the data directory as ours, because the start finds a part of it already made.
  if (isLogged) mkdirSync(join(moment.data, "lock"), { recursive: true });
  const hasCome = isLogged
    ? () => loggedBytes(directory) >= moment.bytes
    : () => wholeLines(moment.rejects).length >= moment.lines;
  const watcher = watch(directory, () => {
    if (!hasCome()) return;
    watcher.close();
    act();
  });
  return { [Symbol.dispose]: () => watcher.close() };
}
