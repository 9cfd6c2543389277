import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { Clock } from "../../lib/clock.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./local-names.ts";
import type { FunctionDefinition } from "./template-function.ts";

/** Lambda gives a bundle this long to load before its first request. */
const INIT_TIMEOUT_MS = 10_000;

/** What the thread is given at its start. */
export interface WorkerSettings {
  readonly codePath: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}

/** One event for the thread, as JSON text. */
export interface ExecutionTask {
  readonly event: string;
  readonly requestId: string;
  readonly deadlineMs: number;
}

export type ExecutionReport =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly payload: string }
  | { readonly kind: "failure"; readonly message: string };

/** How an invocation ended: what the function returned as JSON text, or a function error with its cause for the log. */
export type Invocation =
  | { readonly kind: "result"; readonly payload: string }
  | { readonly kind: "failure"; readonly message: string };

export interface EnvironmentOptions {
  /** All that the function finds in `process.env`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Receives each line that the function prints. */
  readonly log: (line: string) => void;
}

/**
 * One execution environment: a thread with its own modules, globals, memory limit and environment variables, that
 * works on one request at a time. After a timeout or a crash it is dead, and whoever owns it starts another.
 */
export class ExecutionEnvironment {
  readonly #definition: FunctionDefinition;
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #loaded: Promise<Invocation | undefined>;
  #settle: ((report: Invocation | undefined) => void) | undefined;
  #deathCause: string | undefined;

  constructor(definition: FunctionDefinition, options: EnvironmentOptions) {
    this.#definition = definition;
    this.#clock = options.clock;
    this.#worker = startWorker(definition, options.variables);
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) forwardLines(stream, options.log);
    this.#worker.on("message", (message: ExecutionReport) => this.#settleWith(message));
    this.#worker.on("error", (error: unknown) => this.#die(describeCrash(error)));
    this.#worker.on("exit", (code) => this.#die(`the function ended its process with exit code ${code}`));
    this.#loaded = this.#expectReport(INIT_TIMEOUT_MS, "did not load");
  }

  /** Whether it can take another request. */
  get isAlive(): boolean {
    return this.#deathCause === undefined;
  }

  /** Resolves when the bundle is loaded, or when it turned out that it cannot be. */
  async load(): Promise<void> {
    await this.#loaded;
  }

  /** Hands one event to the function and waits for its end, at most as long as the function may take. */
  async invoke(event: string, requestId: string): Promise<Invocation> {
    const failedLoad = await this.#loaded;
    if (failedLoad !== undefined) return failedLoad;
    if (this.#deathCause !== undefined) return { kind: "failure", message: this.#deathCause };
    const { timeoutMs } = this.#definition;
    const outcome = this.#expectReport(timeoutMs, "timed out");
    this.#worker.postMessage({
      event,
      requestId,
      deadlineMs: this.#clock() + timeoutMs,
    } satisfies ExecutionTask);
    return (await outcome) as Invocation;
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    this.#deathCause ??= "the environment was closed";
    await this.#worker.terminate();
  }

  #expectReport(withinMs: number, verb: string): Promise<Invocation | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#die(`the function ${verb} within ${(withinMs / 1000).toFixed(2)} seconds`);
        void this.#worker.terminate();
      }, withinMs);
      this.#settle = (report) => {
        clearTimeout(timer);
        this.#settle = undefined;
        resolve(report);
      };
    });
  }

  #settleWith(message: ExecutionReport): void {
    this.#settle?.(message.kind === "ready" ? undefined : message);
  }

  #die(cause: string): void {
    this.#deathCause ??= cause;
    this.#settle?.({ kind: "failure", message: this.#deathCause });
  }
}

function startWorker(
  { codePath, handler, name, memoryMb }: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
): Worker {
  const functionArn = `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;
  return new Worker(new URL("./execution-worker.ts", import.meta.url), {
    name,
    workerData: { codePath, handler, functionName: name, functionArn, memoryMb } satisfies WorkerSettings,
    env: { ...variables },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
}

function forwardLines(stream: Readable, log: (line: string) => void): void {
  createInterface({ input: stream }).on("line", log);
}

function describeCrash(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : `the function threw ${String(error)}`;
}
