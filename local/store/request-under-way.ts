import { AsyncLocalStorage } from "node:async_hooks";

/** A request that an engine of this process works on: everything that the engine does for it runs in its context. */
export interface RequestUnderWay {
  /** Ends the request by what it made the engine throw. */
  readonly fail: (error: unknown) => void;
  /** Gives back what the request holds in the engine, should the engine not come to it. */
  readonly leftovers: Set<() => void>;
}

const context = new AsyncLocalStorage<RequestUnderWay>();

/** The request that the running code belongs to. */
export const requestUnderWay = (): RequestUnderWay | undefined => context.getStore();

/**
 * Runs a request, so that what it makes the engine throw ends the request: at once, or in any callback of it, provided
 * that the process hands on what nobody caught (`failRequestUnderWay`). Rejects with what was thrown.
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

/** Runs a step of a request as its own, whoever's callback it has been waiting in. */
export function inRequest(request: RequestUnderWay, step: () => void): void {
  context.run(request, () => {
    try {
      step();
    } catch (error) {
      request.fail(error);
    }
  });
}

/** Ends the request whose code threw what nobody caught. False when it was no request's. */
export function failRequestUnderWay(error: unknown): boolean {
  const request = context.getStore();
  request?.fail(error);
  return request !== undefined;
}
