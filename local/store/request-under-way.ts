import { AsyncLocalStorage } from "node:async_hooks";
import { isDiskFull } from "./full-disk.ts";

/** A request that an engine of this process works on. All of the engine's code for it runs in one async context. */
export interface RequestUnderWay {
  /** Ends the request with the error that it made the engine throw. */
  readonly fail: (error: unknown) => void;
  /** Functions that release the engine's locks and iterators that the request still holds, in case it fails. */
  readonly leftovers: Set<() => void>;
}

const context = new AsyncLocalStorage<RequestUnderWay>();

/** The request that the running code works for; undefined when there is none. */
export const requestUnderWay = (): RequestUnderWay | undefined => context.getStore();

/**
 * Runs a request, so that an error of the engine ends this request only. Rejects with the error, whether the engine
 * throws it at once or in a callback. For callbacks, the process must pass its uncaught errors to
 * `failRequestUnderWay`.
 */
export async function asRequest<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const leftovers = new Set<() => void>();
  const fail = (error: unknown): void => {
    reject(error);
    for (const giveBack of leftovers) giveBack();
    leftovers.clear();
  };
  context.run({ fail, leftovers }, () => void work().then(resolve, fail));
  return promise;
}

/** Runs a step of a request in that request's context, even in the callback of another. An error ends the request. */
export function inRequest(request: RequestUnderWay, step: () => void): void {
  context.run(request, () => {
    try {
      step();
    } catch (error) {
      request.fail(error);
    }
  });
}

/** Ends the request whose code threw an uncaught error. Returns false when the error belongs to no request. */
export function failRequestUnderWay(error: unknown): boolean {
  const request = context.getStore();
  request?.fail(error);
  return request !== undefined;
}

/**
 * Gives the errors that an engine of this thread throws in callbacks, where no caller can catch them, to the requests that
 * caused them. Any other uncaught error ends the thread, as ever.
 *
 * @param onDiskFull called in place of all that for an error of a full disk, which concerns every request.
 */
export function catchEngineErrors(onDiskFull?: () => void): void {
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => {
      if (onDiskFull !== undefined && isDiskFull(error)) onDiskFull();
      else if (!failRequestUnderWay(error)) throw error;
    });
}
