import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { isEnding } from "./scene.ts";
import type { ScriptedService } from "./scripted-service.ts";
import { isForTheSame, type RunEnd, type Visit } from "./visit.ts";

export interface RunOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The runs of a client, and all that it printed. */
export interface ClientRuns {
  readonly runs: readonly RunEnd[];
  readonly output: string;
}

/** Enough for a client that polls a pass once a run. */
const RUNS_MAX = 30;
const LOOK_MS = 100;
/** A client that had to be ended so many times in a row is not started again. */
const ENDED_MAX = 5;
/** A client that repeats a refused request so often is stopped. */
const REPETITIONS_MAX = 3;

/**
 * Runs a client until it has met every scene of the endpoints that it calls. A client that is silent for too long, or
 * does not stop repeating a refused request, is ended with all its child processes.
 */
export async function runClient(service: ScriptedService, options: RunOptions): Promise<ClientRuns> {
  const runs: RunEnd[] = [];
  let output = "";
  while (runs.length < RUNS_MAX && !options.signal.aborted) {
    const before = service.visits.length;
    const { end, printed } = await runOnce(service, options);
    output += `${printed}\n`;
    if (!options.signal.aborted) runs.push(end);
    const isStuck =
      runs.length >= ENDED_MAX && runs.slice(-ENDED_MAX).every(({ code }) => code === undefined);
    if (service.visits.length === before || !service.hasMore || isStuck) break;
  }
  return { runs, output };
}

async function runOnce(service: ScriptedService, options: RunOptions) {
  const { clock, signal } = options;
  const run = service.beginRun();
  const startedMs = clock();
  const { child, ended } = await start(options);
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  let isStopped = false;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (isRunning()) {
    await Promise.race([ended, pause(LOOK_MS)]);
    if (!isRunning() || !(signal.aborted || mustEnd(service.visits, run, { ...options, startedMs })))
      continue;
    isStopped = true;
    break;
  }
  killGroup(child);
  await ended;
  const code = isStopped ? undefined : (child.exitCode ?? 1);
  return { end: { run, endedMs: clock(), ...(code !== undefined && { code }) }, printed };
}

/** A process group of its own: ending the client alone would leave its children running. */
async function start({ command: [program = "", ...args], directory, environment }: RunOptions) {
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", 2],
  });
  const ended = once(child, "close");
  ended.catch(() => {});
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new OperatorError(`${program} cannot be started (${codeOf(error)}).`, error);
  }
  return { child, ended };
}

/** Ends a client with all its child processes, which may outlive it and hold its output open. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it runs any more.
  }
}

interface Watch extends Pick<RunOptions, "patienceMs" | "clock"> {
  readonly startedMs: number;
}

/** Whether a run has to be ended: it was silent for too long, or repeats a refused request again and again. */
function mustEnd(visits: readonly Visit[], run: number, { patienceMs, clock, startedMs }: Watch): boolean {
  const own = visits.filter((visit) => visit.run === run);
  const last = own.at(-1);
  if (clock() - (last?.answeredMs ?? startedMs) > patienceMs) return true;
  if (last?.step === undefined || !isEnding(last.step.answer)) return false;
  return own.filter((visit) => isForTheSame(visit, last)).length > REPETITIONS_MAX;
}
