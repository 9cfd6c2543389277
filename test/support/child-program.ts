import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** A program that prints into pipes. */
type Piped = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** What a program printed, and its exit code; null for one that a signal has ended. */
export interface Ended {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
}

/** Resolves with how a program ends that has just been started. */
export async function endOf(child: Piped): Promise<Ended> {
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { output, errors, code };
}

/** A program that runs in a process group of its own. */
export interface Started {
  /** Resolves with everything that was printed so far, once it contains a text. */
  said(wanted: string): Promise<string>;
  /** Presses Ctrl-C, and resolves with everything that was printed and the exit code once it has ended. */
  interrupt(): Promise<Ended>;
  /** Asks the program alone to end, as a program that started it does, and resolves once all that it started has ended. */
  terminate(): Promise<Ended>;
}

/** Watches a program from its start on. */
export function watch(child: Piped): Started {
  let output = "";
  let errors = "";
  const waiting: { readonly wanted: string; readonly resolve: (said: string) => void }[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    for (const { wanted, resolve } of waiting) if (output.includes(wanted)) resolve(output);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const closed = once(child, "close");
  const early = closed.then(() => {
    throw new Error(`The command ended early:\n${output}${errors}`);
  });
  early.catch(() => {});
  return {
    said: (wanted) =>
      Promise.race([
        early,
        new Promise<string>((resolve) => {
          if (output.includes(wanted)) resolve(output);
          else waiting.push({ wanted, resolve });
        }),
      ]),
    terminate: async () => {
      child.kill("SIGTERM");
      const [code] = await closed;
      return { output, errors, code };
    },
    interrupt: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, "SIGINT");
      const [code] = await closed;
      return { output, errors, code };
    },
  };
}
