import { spawn } from "node:child_process";
import { once } from "node:events";
import { NotObservable } from "./rule.ts";

/**
 * Runs a command of the operator's in a shell. What it prints goes to standard error, beside the report. After the
 * time, or when the signal is aborted, it is stopped with all that it started.
 *
 * @throws {NotObservable} when it did not end with 0.
 */
export async function runShell(command: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  // A group of its own: to stop the shell alone would leave running what it started.
  const child = spawn(command, { shell: true, detached: true, stdio: ["ignore", 2, 2] });
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const stop = (): void => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && isRunning) process.kill(-child.pid, "SIGKILL");
  };
  either.addEventListener("abort", stop, { once: true });
  const [code] = (await once(child, "exit")) as [number | null];
  either.removeEventListener("abort", stop);
  if (timeout.aborted) throw new NotObservable(`the command took longer than ${timeoutMs / 1000} s`);
  if (code !== 0) throw new NotObservable(`the command ended with ${code ?? "a signal"}`);
}
