import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { Clock } from "../../lib/clock.ts";
import type { ClockShift } from "../clock/clock-shift.ts";
import { places } from "../installation.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "../store/local-account.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import { cpuMeterOf, watchLoad } from "./load-watch.ts";

/**
 * What a thread may fill with new objects before V8 looks which of them live. A request leaves less than a megabyte;
 * V8's own bound of 48 MB would be filled with garbage by each environment.
 */
const YOUNG_MB = 6;

/** Settings that the thread gets at its start. */
export interface WorkerSettings {
  readonly codePath: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** The id of the report that the bundle has loaded. */
  readonly loadId: string;
  /** The id of reports of what the bundle prints. */
  readonly printId: string;
  /** The memory of a `ClockShift`, for a function whose clock is not the machine's. */
  readonly clockShift: SharedArrayBuffer | undefined;
}

/** One event for the thread, as JSON text. */
export interface ExecutionTask {
  readonly event: string;
  readonly requestId: string;
  readonly deadlineMs: number;
}

/** Text that a bundle prints on one of its two streams. */
export interface PrintReport {
  readonly id: string;
  readonly kind: "printed";
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** A report of the thread on its load or on a request. The id sets it apart from messages that a bundle posts. */
export type ExecutionReport = { readonly id: string } & (
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly payload: string }
  | { readonly kind: "failure"; readonly message: string }
);

/** A stretch of time in which an execution environment worked on one request. */
export interface Stint {
  /** The session token of the environment, which no other environment has. */
  readonly session: string;
  /** The steady clock's readings when the environment got the request, and when its result was there. */
  readonly beganNs: bigint;
  readonly endedNs: bigint;
}

/** How an invocation ended: what the function returned as JSON text, or a function error with its cause for the log. */
export type InvocationOutcome = (
  | { readonly kind: "result"; readonly payload: string }
  | { readonly kind: "failure"; readonly message: string }
) & {
  /** Absent when the environment never got the request. */
  readonly stint?: Stint;
};

export interface EnvironmentOptions {
  /** The whole `process.env` of the function. */
  readonly variables: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** How far `clock` is from the machine's, where it is another. */
  readonly clockShift?: ClockShift | undefined;
  /** Receives each line that the function prints. */
  readonly log: (line: string) => void;
  /** Watches the load; `watchLoad` unless given. */
  readonly watch?: typeof watchLoad;
}

/** The report that the environment waits for. */
interface Awaited {
  readonly id: string;
  readonly settle: (outcome: InvocationOutcome | undefined) => void;
}

/**
 * One execution environment: a thread with its own modules, globals, memory limit and environment variables. It works
 * on one request at a time. After a timeout or a crash it is dead, and its pool starts another.
 */
export class ExecutionEnvironment {
  readonly #definition: FunctionDefinition;
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #session = randomUUID();
  readonly #loaded: Promise<InvocationOutcome | undefined>;
  readonly #printId = randomUUID();
  readonly #printed: Readonly<Record<PrintReport["stream"], PrintedLines>>;
  #awaited: Awaited | undefined;
  #deathCause: string | undefined;

  constructor(definition: FunctionDefinition, options: EnvironmentOptions) {
    this.#definition = definition;
    this.#clock = options.clock;
    const loadId = randomUUID();
    // Lambda gives each environment credentials of its own, too.
    const variables = { ...options.variables, AWS_SESSION_TOKEN: this.#session };
    this.#printed = { stdout: new PrintedLines(options.log), stderr: new PrintedLines(options.log) };
    const clockShift = options.clockShift?.memory;
    this.#worker = startWorker(definition, variables, { loadId, printId: this.#printId, clockShift });
    this.#worker.on("message", (message: unknown) => this.#receive(message));
    this.#worker.on("error", (error: unknown) => this.#die(describeCrash(error)));
    this.#worker.on("exit", (code) => {
      this.#die(`the function ended its process with exit code ${code}`);
      for (const lines of Object.values(this.#printed)) lines.end();
    });
    this.#loaded = this.#expectLoad(loadId, options.watch ?? watchLoad);
  }

  /** Whether it can take another request. */
  get isAlive(): boolean {
    return this.#deathCause === undefined;
  }

  /** Waits until the bundle has loaded or failed to load. Resolves with the reason for a failure. */
  async load(): Promise<string | undefined> {
    const failure = await this.#loaded;
    return failure?.kind === "failure" ? failure.message : undefined;
  }

  /** Runs the function with one event, for its timeout at most. */
  async invoke(event: string, requestId: string): Promise<InvocationOutcome> {
    const failedLoad = await this.#loaded;
    if (failedLoad !== undefined) return failedLoad;
    if (this.#deathCause !== undefined) return { kind: "failure", message: this.#deathCause };
    const { timeoutMs } = this.#definition;
    const beganNs = process.hrtime.bigint();
    const outcome = this.#expectResult(requestId, timeoutMs);
    this.#worker.postMessage({
      event,
      requestId,
      deadlineMs: this.#clock() + timeoutMs,
    } satisfies ExecutionTask);
    const ended = (await outcome) as InvocationOutcome;
    return { ...ended, stint: { session: this.#session, beganNs, endedNs: process.hrtime.bigint() } };
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    this.#deathCause ??= "the environment was closed";
    await this.#worker.terminate();
  }

  /** A load ends by itself, or when it hangs. */
  async #expectLoad(id: string, watch: typeof watchLoad): Promise<InvocationOutcome | undefined> {
    const endWatch = watch(cpuMeterOf(this.#worker), (cause) => this.#kill(`it hangs: ${cause}`));
    return await this.#report(id).finally(endWatch);
  }

  /** A request has the function's time limit, as on Lambda. */
  async #expectResult(id: string, withinMs: number): Promise<InvocationOutcome | undefined> {
    const timer = setTimeout(
      () => this.#kill(`the function timed out within ${(withinMs / 1000).toFixed(2)} seconds`),
      withinMs,
    );
    return await this.#report(id).finally(() => clearTimeout(timer));
  }

  /** The thread's report, or the cause of its death if it comes first. */
  #report(id: string): Promise<InvocationOutcome | undefined> {
    return new Promise((resolve) => {
      const settle = (outcome: InvocationOutcome | undefined): void => {
        this.#awaited = undefined;
        resolve(outcome);
      };
      this.#awaited = { id, settle };
    });
  }

  #kill(cause: string): void {
    this.#die(cause);
    void this.#worker.terminate();
  }

  #receive(message: unknown): void {
    if (isReport(message, this.#printId) && message.kind === "printed")
      this.#printed[message.stream].take(message.text);
    if (this.#awaited === undefined || !isReport(message, this.#awaited.id) || message.kind === "printed")
      return;
    this.#awaited.settle(message.kind === "ready" ? undefined : message);
  }

  #die(cause: string): void {
    this.#deathCause ??= cause;
    this.#awaited?.settle({ kind: "failure", message: this.#deathCause });
  }
}

const isReport = (message: unknown, id: string): message is ExecutionReport | PrintReport =>
  typeof message === "object" && message !== null && "id" in message && message.id === id;

function startWorker(
  { codePath, handler, name, memoryMb }: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
  start: Pick<WorkerSettings, "loadId" | "printId" | "clockShift">,
): Worker {
  const functionArn = `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;
  const settings: WorkerSettings = { codePath, handler, functionName: name, functionArn, memoryMb, ...start };
  return new Worker(places.functionThread, {
    name,
    workerData: settings,
    env: { ...variables },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

function describeCrash(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : `the function threw ${String(error)}`;
}

/** Cuts what a thread prints into lines. An end of a line may come later than its beginning. */
export class PrintedLines {
  readonly #line: (line: string) => void;
  #begun = "";

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  /** Takes the next text. */
  take(text: string): void {
    const [first = "", ...rest] = text.split(/\r?\n/);
    this.#begun += first;
    for (const begun of rest) {
      this.#line(this.#begun);
      this.#begun = begun;
    }
  }

  /** Gives away a last line without an end. */
  end(): void {
    if (this.#begun !== "") this.#line(this.#begun);
    this.#begun = "";
  }
}
