import type { FunctionDefinition } from "../template/template-function.ts";
import {
  type EnvironmentOptions,
  ExecutionEnvironment,
  type InvocationOutcome,
} from "./execution-environment.ts";

/** Threads for one function, so that one busy function cannot take the machine. */
const ENVIRONMENTS_MAX = 4;
/** Requests that may wait for a free environment. Beyond it a function is throttled, as at its concurrency limit. */
const WAITING_MAX = 1_000;

interface Waiting {
  readonly event: string;
  readonly requestId: string;
  readonly resolve: (outcome: InvocationOutcome | "throttled") => void;
}

/**
 * The execution environments of one function. A request goes to an idle one; when all are busy another one is started,
 * up to a bound, and the request goes to whichever is free first. A dead environment is replaced by the next request.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: EnvironmentOptions;
  readonly #environmentsMax: number;
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #waiting: Waiting[] = [];
  #isClosed = false;
  #loadFault: string | undefined;

  constructor(definition: FunctionDefinition, options: EnvironmentOptions) {
    this.definition = definition;
    this.#options = options;
    this.#environmentsMax = Math.min(definition.environmentsMax ?? ENVIRONMENTS_MAX, ENVIRONMENTS_MAX);
  }

  /** Why the bundle of the environment that was started ahead did not load; undefined where it did. */
  get loadFault(): string | undefined {
    return this.#loadFault;
  }

  /** Starts one environment ahead of the first request and waits until its bundle is loaded, or known not to load. */
  async warm(): Promise<void> {
    if (this.#environmentsMax > 0) this.#loadFault = await this.#start();
  }

  /** Runs the function once. `throttled` when too many requests wait already, or the function is reserved none. */
  invoke(event: string, requestId: string): Promise<InvocationOutcome | "throttled"> {
    if (this.#environmentsMax === 0 || this.#waiting.length >= WAITING_MAX)
      return Promise.resolve("throttled");
    return new Promise((resolve) => {
      this.#waiting.push({ event, requestId, resolve });
      if (this.#idle.length === 0 && this.#all.size < this.#environmentsMax) void this.#start();
      this.#dispatch();
    });
  }

  /** Ends every environment. Requests that are still running fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve("throttled");
    await Promise.all([...this.#all].map((environment) => environment.close()));
  }

  /** Resolves with why the bundle did not load. */
  async #start(): Promise<string | undefined> {
    const environment = new ExecutionEnvironment(this.definition, this.#options);
    this.#all.add(environment);
    const fault = await environment.load();
    // One request learns that the bundle does not load; to try again for ever would leave it without an answer.
    const unlucky = environment.isAlive ? undefined : this.#waiting.shift();
    if (unlucky === undefined) this.#release(environment);
    else await this.#run(environment, unlucky);
    return fault;
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      // Last in, first out keeps the warmest one busy, and finds out at once when it died in its sleep.
      const environment = this.#idle.pop() as ExecutionEnvironment;
      if (environment.isAlive) void this.#run(environment, this.#waiting.shift() as Waiting);
      else this.#discard(environment);
    }
  }

  async #run(environment: ExecutionEnvironment, { event, requestId, resolve }: Waiting): Promise<void> {
    resolve(await environment.invoke(event, requestId));
    this.#release(environment);
  }

  #release(environment: ExecutionEnvironment): void {
    if (this.#isClosed) return;
    if (environment.isAlive) this.#idle.push(environment);
    else this.#discard(environment);
    this.#dispatch();
  }

  /** Requests that wait would wait for ever if the last environment died. */
  #discard(environment: ExecutionEnvironment): void {
    this.#all.delete(environment);
    if (this.#waiting.length > 0 && this.#all.size < this.#environmentsMax) void this.#start();
  }
}
