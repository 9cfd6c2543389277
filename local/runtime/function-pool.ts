import { availableParallelism } from "node:os";
import { type Clock, steadyClock } from "../../lib/clock.ts";
import type { FunctionDefinition } from "../template/template-function.ts";
import {
  type EnvironmentOptions,
  ExecutionEnvironment,
  type InvocationOutcome,
} from "./execution-environment.ts";

/** The most threads for one function, so that one busy function cannot take the whole machine. */
const THREADS_MAX = 4;
/**
 * Environments beyond the first of each function, for all functions together. A function with these and its first keeps
 * every core busy while one waits for the store, and several busy functions keep the cores busy together.
 */
export const SPARE_MAX = availableParallelism();
export const ENVIRONMENTS_MAX = Math.min(THREADS_MAX, 1 + SPARE_MAX);
/** Requests that may wait for a free environment. Further ones are throttled, as at a concurrency limit. */
const WAITING_MAX = 1_000;

/** How long the only environment of a function that was called waits for another request; Lambda keeps it for minutes. */
export const KEPT_MS = 60_000;
/** How long one waits beyond the first, or one that was only loaded to see whether its bundle loads. */
export const SPARE_KEPT_MS = 10_000;

export interface PoolOptions extends EnvironmentOptions {
  /** By which idle environments age; the machine's unless given. */
  readonly steady?: Clock;
  /** The pools of the same service, this one among them; none unless given. */
  readonly pools?: () => Iterable<Pick<FunctionPool, "size">>;
}

/** An environment without a request, since an instant of the steady clock. */
interface Idle {
  readonly environment: ExecutionEnvironment;
  readonly sinceMs: number;
}

interface Waiting {
  readonly event: string;
  readonly requestId: string;
  readonly resolve: (outcome: InvocationOutcome | "throttled") => void;
}

/**
 * The execution environments of one function. A request goes to an idle environment. When all are busy, the pool starts
 * another, up to a limit, and the request goes to the first that is free. The next request replaces a dead one. An
 * environment that has had no request for a while ends, because a thread takes some 20 MB.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: PoolOptions;
  readonly #steady: Clock;
  readonly #environmentsMax: number;
  /** The one that has waited longest comes first. */
  readonly #idle: Idle[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #waiting: Waiting[] = [];
  /** Environments that load, and take a request that waits as soon as they have. */
  #loading = 0;
  #isClosed = false;
  #isRetired = false;
  #isCalled = false;
  #loadFault: string | undefined;
  #ageing: NodeJS.Timeout | undefined;

  constructor(definition: FunctionDefinition, options: PoolOptions) {
    this.definition = definition;
    this.#options = options;
    this.#steady = options.steady ?? steadyClock;
    this.#environmentsMax = Math.min(definition.environmentsMax ?? ENVIRONMENTS_MAX, ENVIRONMENTS_MAX);
  }

  /** The access key with which its environments call the store. */
  get accessKeyId(): string {
    return this.#options.variables.AWS_ACCESS_KEY_ID ?? "";
  }

  /** Why the bundle did not load in `warm`; undefined when it did. */
  get loadFault(): string | undefined {
    return this.#loadFault;
  }

  /** How many environments there are. */
  get size(): number {
    return this.#all.size;
  }

  /** Starts one environment, unless requests have started some, and waits until its bundle has loaded or failed to load. */
  async warm(): Promise<void> {
    if (this.#environmentsMax > 0 && this.#all.size === 0 && !this.#isClosed)
      this.#loadFault = await this.#start();
  }

  /** Runs the function once. `throttled` when too many requests wait already, or its reserved concurrency is 0. */
  invoke(event: string, requestId: string): Promise<InvocationOutcome | "throttled"> {
    if (this.#isClosed || this.#environmentsMax === 0 || this.#waiting.length >= WAITING_MAX)
      return Promise.resolve("throttled");
    this.#isCalled = true;
    return new Promise((resolve) => {
      this.#waiting.push({ event, requestId, resolve });
      const areEnough = this.#idle.length > 0 || this.#loading >= this.#waiting.length;
      if (!areEnough && this.#hasRoom()) void this.#start();
      this.#dispatch();
    });
  }

  /** Ends each environment once it has no request. The pool takes no new request from now on. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    clearTimeout(this.#ageing);
    await Promise.all(this.#idle.splice(0).map(({ environment }) => this.#end(environment)));
  }

  /** Ends the environments that have waited for too long. The pool does so by itself when one may have. */
  async endIdle(keptMs?: number): Promise<void> {
    const now = this.#steady();
    const endings: Promise<void>[] = [];
    for (let [oldest] = this.#idle; oldest !== undefined; [oldest] = this.#idle) {
      if (now - oldest.sinceMs < (keptMs ?? this.#keptMs)) break;
      this.#idle.shift();
      endings.push(this.#end(oldest.environment));
    }
    await Promise.all(endings);
  }

  /** How long an idle environment is kept. */
  get #keptMs(): number {
    return this.#isCalled && this.#all.size === 1 ? KEPT_MS : SPARE_KEPT_MS;
  }

  /** Ends every environment. Requests that are still running fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#ageing);
    for (const { resolve } of this.#waiting.splice(0)) resolve("throttled");
    await Promise.all([...this.#all].map((environment) => environment.close()));
  }

  /** Whether it may start another environment now. */
  #hasRoom(): boolean {
    const { pools = () => [] } = this.#options;
    const spare = [...pools()].reduce((sum, { size }) => sum + Math.max(0, size - 1), 0);
    return this.#all.size < this.#environmentsMax && (this.#all.size === 0 || spare < SPARE_MAX);
  }

  /** Resolves with the reason when the bundle did not load. */
  async #start(): Promise<string | undefined> {
    const environment = new ExecutionEnvironment(this.definition, this.#options);
    this.#all.add(environment);
    this.#loading += 1;
    const fault = await environment.load();
    this.#loading -= 1;
    // Each failed load fails one waiting request: endless retries would leave the request without an answer.
    const unlucky = environment.isAlive ? undefined : this.#waiting.shift();
    if (unlucky === undefined) this.#release(environment);
    else await this.#run(environment, unlucky);
    return fault;
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      // Last in, first out keeps the warmest environment busy. It may have died while it was idle.
      const { environment } = this.#idle.pop() as Idle;
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
    if (this.#isRetired && this.#waiting.length === 0) {
      void this.#end(environment);
      return;
    }
    if (environment.isAlive) this.#keep(environment);
    else this.#discard(environment);
    this.#dispatch();
  }

  #keep(environment: ExecutionEnvironment): void {
    this.#idle.push({ environment, sinceMs: this.#steady() });
    this.#ageing ??= this.#age();
  }

  /** One timer for all idle environments: a timer for each would be set and cleared with each request. */
  #age(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#ageing = undefined;
      void this.endIdle();
      if (this.#idle.length > 0 && !this.#isClosed) this.#ageing = this.#age();
    }, SPARE_KEPT_MS).unref();
  }

  async #end(environment: ExecutionEnvironment): Promise<void> {
    this.#all.delete(environment);
    await environment.close();
  }

  /** Starts another environment while requests wait: without one, they would wait for ever after the last one died. */
  #discard(environment: ExecutionEnvironment): void {
    this.#all.delete(environment);
    if (this.#waiting.length > 0 && this.#hasRoom()) void this.#start();
  }
}
