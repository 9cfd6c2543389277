import { Worker } from "node:worker_threads";
import { type HouseCall, type HouseMessage, writeArguments } from "./messages.ts";

/** V8's own bound of 48 MB would be filled with garbage; four times less costs no more time. */
const YOUNG_MB = 12;

/**
 * A call of the house could not be followed. The message says why, and what is possible. A fault of the house itself is
 * its cause.
 */
export class CountinghouseError extends Error {
  override readonly name = "CountinghouseError";
}

/** What a call resolves with. */
export interface HouseAnswer {
  readonly value: unknown;
  readonly clockShift?: SharedArrayBuffer;
}

interface Waiting {
  readonly resolve: (answer: HouseAnswer) => void;
  readonly reject: (error: Error) => void;
  /** Made when the call was, so that its stack names the caller. */
  readonly error: CountinghouseError;
}

/**
 * The thread that runs the worlds. It keeps the process alive only while a call waits for its answer, so that a test that
 * forgets to close a house still ends.
 */
export class HouseThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  /** Why no call is answered any more. */
  #end: string | undefined;
  #asked = 0;

  /** @param heard receives the lines of worlds. */
  constructor(path: string, heard: (line: string, world: string) => void) {
    // A report of a test's coverage is about the test's own code.
    const { NODE_V8_COVERAGE: _coverage, ...env } = process.env;
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    this.#worker = new Worker(path, { name: "countinghouse", execArgv: [], env, resourceLimits });
    this.#worker.unref();
    this.#worker.on("message", (message: HouseMessage) => {
      if ("line" in message) heard(message.line, message.world);
      else this.#settle(message);
    });
    this.#worker.on("error", (error) => this.#failAll(`The countinghouse broke down: ${describe(error)}`));
    this.#ended = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#failAll("The countinghouse was closed.");
        resolve();
      });
    });
  }

  /** Whether no call is answered any more. */
  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Calls a method of a world. Rejects with a `CountinghouseError`. */
  ask(world: string, method: string, given: readonly unknown[]): Promise<HouseAnswer> {
    this.#asked += 1;
    const id = this.#asked;
    const error = new CountinghouseError();
    if (this.#end !== undefined) return Promise.reject(saying(error, this.#end));
    const call = callOf({ id, world, method }, given);
    if (typeof call === "string") return Promise.reject(saying(error, call));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, error });
      this.#worker.ref();
      this.#worker.postMessage(call);
    });
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.#worker.ref();
    await this.#worker.terminate();
    await this.#ended;
  }

  #settle(message: Exclude<HouseMessage, { readonly line: string }>): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("refusal" in message) waiting.reject(saying(waiting.error, message.refusal, message.stack));
    else {
      // What all tests of a file share, none may change for the others.
      const frozen = (_name: string, part: unknown): unknown => Object.freeze(part);
      const value: unknown = message.json === undefined ? undefined : JSON.parse(message.json, frozen);
      waiting.resolve({ value, ...(message.clockShift !== undefined && { clockShift: message.clockShift }) });
    }
  }

  #failAll(reason: string): void {
    this.#end ??= reason;
    for (const { reject, error } of this.#waiting.values()) reject(saying(error, this.#end));
    this.#waiting.clear();
  }
}

/** A call with its arguments, or why it cannot be sent. */
function callOf(call: Omit<HouseCall, "given">, given: readonly unknown[]): HouseCall | string {
  try {
    return { ...call, given: writeArguments(given) };
  } catch (error) {
    return `${call.method}: an argument cannot be written as JSON (${describe(error).split("\n")[0]}).`;
  }
}

/** An error with another message, in its stack as well, and with a cause that has the stack of another thread. */
function saying(error: CountinghouseError, message: string, stack?: string): CountinghouseError {
  error.message = message;
  if (stack !== undefined) {
    const cause = Object.assign(new Error(message), { stack });
    Object.defineProperty(error, "cause", { value: cause, configurable: true, writable: true });
  }
  const [, ...places] = (error.stack ?? "").split("\n");
  error.stack = [`${error.name}: ${message}`, ...places].join("\n");
  return error;
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
