import { once } from "node:events";
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { setImmediate } from "node:timers/promises";
import { exitCodes } from "../../local/process/operator-error.ts";
import { terminalText } from "./terminal-text.ts";

/** What is known of standard output while a command runs. */
interface Watched {
  /** The first error of a write; undefined while there was none. */
  fault: NodeJS.ErrnoException | undefined;
  /** Aborted by that error. */
  readonly lost: AbortController;
}

const newWatched = (): Watched => ({ fault: undefined, lost: new AbortController() });

let watched = newWatched();

/** The reader stopped early, as `| head` does. */
const isLeft = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE";

/**
 * Aborted once nobody can read what is printed. Most commands go on to their end all the same, because they change
 * something, or because their exit code says what they found; only what prints without an end stops by this.
 */
export const outputLost = (): AbortSignal => watched.lost.signal;

/** Prints, and resolves once standard output has taken the text: to the error where it did not. */
const written = (text: string): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(error ?? undefined));
  });

/** Writes lines, of which a terminal gets those that are safe. A reader that is slower is waited for. */
export async function writeOutput(lines: string, signal: AbortSignal): Promise<void> {
  const shown = process.stdout.isTTY ? lines.replaceAll(/[^\r\n]+/g, terminalText) : lines;
  if (!process.stdout.write(shown)) await once(process.stdout, "drain", { signal });
}

/** Prints a line, and resolves to whether standard output took it for somebody. */
export const isPrinted = async (line: string): Promise<boolean> =>
  (await written(`${line}\n`)) === undefined && !isDiscarded();

/** Whether what is printed goes nowhere: into `/dev/null`, which Node.js also opens in place of a closed output. */
function isDiscarded(): boolean {
  try {
    const [output, nowhere] = [fstatSync(process.stdout.fd), statSync(devNull)];
    return output.isCharacterDevice() && output.rdev === nowhere.rdev;
  } catch {
    return false;
  }
}

/**
 * Runs a command and returns its exit code. An error of standard output does not end it. Afterwards a reader that has
 * left changes nothing; any other error, such as that of a full disk, is told, and the command has failed.
 */
export async function watchingOutput(run: () => Promise<number>): Promise<number> {
  watched = newWatched();
  const onError = (error: NodeJS.ErrnoException): void => {
    watched.fault ??= error;
    watched.lost.abort();
  };
  // There is nobody left to tell.
  const onSilence = (): void => {};
  process.stdout.on("error", onError);
  process.stderr.on("error", onSilence);
  try {
    const code = await run();
    // Taken after everything that still waits.
    if (process.stdout.writableLength > 0) await written("");
    // The streams emit their errors a little later.
    await setImmediate();
    return codeAfter(watched.fault, code);
  } finally {
    await setImmediate();
    process.stdout.off("error", onError);
    process.stderr.off("error", onSilence);
  }
}

function codeAfter(fault: NodeJS.ErrnoException | undefined, code: number): number {
  if (fault === undefined || isLeft(fault)) return code;
  console.error(
    `Standard output did not take everything (${fault.code ?? fault.message}). What the command has changed stays changed.`,
  );
  return code === exitCodes.interrupted ? code : exitCodes.failed;
}
