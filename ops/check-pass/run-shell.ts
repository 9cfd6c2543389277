import { spawn } from "node:child_process";
import { once } from "node:events";
import { NotObservable } from "../checks/rule.ts";

/**
 * Runs the operator's command in a shell. Its output goes to standard error, so that the report stays clean. After the
 * time, or when the signal is aborted, the command is stopped with all its child processes.
 *
 * @throws {NotObservable} when the command takes too long or does not exit with 0.
 */
export async function runShell(command: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  // A process group of its own: stopping the shell alone would leave its children running.
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
