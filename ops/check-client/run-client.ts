import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import { codeOf, OperatorError } from "../../local/process/operator-error.ts";
import { callersPath, environmentWith } from "../store/store-options.ts";
import { isEnding } from "./scene.ts";
import type { Changes, ScriptedService } from "./scripted-service.ts";
import { isForTheSame, type RunEnd, type Visit } from "./visit.ts";

export interface RunOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** A client that sends more in one run is ended. */
  readonly requestsMax?: number;
}

/** The runs of a client, and all that it printed. */
export interface ClientRuns {
  readonly runs: readonly RunEnd[];
  readonly output: string;
}

/** One run of a client, and what it printed. */
export interface ClientRun {
  readonly end: RunEnd;
  readonly printed: string;
  /** The last error that it wrote to standard error, or else its last line there; "" without one. */
  readonly complaint: string;
}

/** Enough for a client that polls a pass once a run. */
const RUNS_MAX = 30;
const LOOK_MS = 100;
/** How much of a client's standard error is searched for its last error, and how much of that is told, in characters. */
const COMPLAINTS_KEPT = 16_384;
const COMPLAINT_SHOWN = 200;
/** More than any copy has, and less in all runs together than one text can hold. */
const PRINTED_MAX = 16_777_216;
/** How long the output of a client that has ended may stay open. */
const CLOSING_MS = 1_000;
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

/** Starts a client once, with the changes of tomorrow where they are given. */
export async function runOnce(
  service: ScriptedService,
  options: RunOptions,
  changes?: Changes,
): Promise<ClientRun> {
  const run = service.beginRun(changes);
  const startedMs = systemClock();
  const { child, ended } = await start(service, options);
  let printed = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (printed.length <= PRINTED_MAX) printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-COMPLAINTS_KEPT);
    process.stderr.write(text);
  });
  let isStopped = false;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (isRunning() && !isStopped) {
    await Promise.race([ended, pause(LOOK_MS)]);
    const mustStop =
      options.signal.aborted ||
      printed.length > PRINTED_MAX ||
      mustEnd(service.visits, run, { ...options, startedMs });
    isStopped = isRunning() && mustStop;
  }
  killGroup(child);
  // A process that has left the group may hold the output open for ever.
  await Promise.race([ended, pause(CLOSING_MS, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  if (printed.length > PRINTED_MAX)
    throw new OperatorError(
      "The client printed more than 16 MB in one run. Let it print only its copy of the records, or name that with --copy.",
    );
  const code = isStopped ? undefined : (child.exitCode ?? 1);
  const end = { run, endedMs: systemClock(), ...(code !== undefined && { code }) };
  return { end, printed, complaint: complaintOf(complaints) };
}

/** The line that names the error: other lines stand around it, such as the frames of a stack. */
function complaintOf(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.findLast((line) => /^\s*[\w.]*(?:Error|Exception|panic)\b/.test(line)) ?? lines.at(-1) ?? "")
    .trim()
    .slice(0, COMPLAINT_SHOWN);
}

/** A process group of its own: ending the client alone would leave its children running. */
async function start({ variables }: ScriptedService, { command: [program = "", ...args] }: RunOptions) {
  const child = spawn(program, args, {
    cwd: callersPath("."),
    env: environmentWith(variables),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
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

/** Whether a run has to be ended: it was silent for too long, or asks again and again. */
function mustEnd(
  visits: readonly Visit[],
  run: number,
  { patienceMs, startedMs, requestsMax = Infinity }: RunOptions & { readonly startedMs: number },
): boolean {
  const own = visits.filter((visit) => visit.run === run);
  const last = own.at(-1);
  if (own.length > requestsMax) return true;
  if (systemClock() - (last?.answeredMs ?? startedMs) > patienceMs) return true;
  if (last?.step === undefined || !isEnding(last.step.answer)) return false;
  return own.filter((visit) => isForTheSame(visit, last)).length > REPETITIONS_MAX;
}
