import type { Asked } from "./asked.ts";
import { Budget, type Reservation } from "./budget.ts";
import type { EndpointName } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { type Answer, exchangeOnce } from "./exchange-once.ts";
import { inTime } from "./in-time.ts";
import { type Acceptable, judge, type Taken } from "./judge.ts";
import { maskOf } from "./mask.ts";
import { type CallOptions, callRules } from "./options.ts";
import { type Platform, randomId } from "./platform.ts";
import { isRepeatable, type RetryPolicy } from "./retry.ts";
import { holdTo } from "./rules.ts";
import { type Credentials, sendableCredentials } from "./sendable.ts";
import type { Warnings } from "./warning.ts";

/** What all interfaces of a client share. */
export interface Shared {
  /** What stands before every route, without a slash at its end. */
  readonly baseUrl: string;
  readonly platform: Platform;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly warnings: Warnings;
}

/** What differs from interface to interface. */
export interface Interface {
  /** Credentials for a request of this URL. They are made anew for each attempt. */
  readonly credentials: (url: URL) => Promise<Credentials>;
  readonly retryAfterUnit: "milliseconds" | "seconds";
}

/** A request, however often it is sent. */
export interface Call extends Acceptable {
  readonly endpoint: EndpointName;
  readonly url: URL;
  /** Tokens that the request takes from the limit. */
  readonly cost: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options: CallOptions;
}

/** An attempt that has its tokens and its credentials. */
interface Ready {
  readonly reservation: Reservation;
  readonly asked: Asked;
  readonly credentials: Credentials["headers"];
}

/** One interface of the service: paces, signs, sends and repeats requests, and turns failures into errors. */
export class Channel {
  readonly shared: Shared;
  readonly #interface: Interface;
  readonly #budget: Budget;

  constructor(shared: Shared, ofInterface: Interface) {
    this.shared = shared;
    this.#interface = ofInterface;
    this.#budget = new Budget(shared.platform.now);
  }

  /**
   * Sends a request until it is answered, and waits as the service asks.
   *
   * @throws {CountinghouseError} for an answer that the call does not take, once it is not repeated any more.
   * @throws {TypeError} for options that cannot be meant.
   * @throws the reason of the signal, once it is aborted.
   */
  async send(call: Call): Promise<Taken> {
    holdTo(callRules, call.options);
    const { now } = this.shared.platform;
    const errors: CountinghouseError[] = [];
    // Waiting for tokens is not a failure, and its time does not count.
    for (let elapsedMs = 0; ; ) {
      const ready = await this.#prepare(call);
      const begunAt = now();
      const outcome = await this.#attempt(call, ready);
      if (!(outcome instanceof CountinghouseError)) return outcome;
      errors.push(outcome);
      const waitMs = this.#waitMs(outcome, errors, elapsedMs + now() - begunAt);
      if (waitMs === undefined) throw outcome;
      await this.pause(waitMs, call.options, outcome);
      elapsedMs += now() - begunAt;
    }
  }

  /** Waits, and tells of it. @throws the reason of the signal, once it is aborted. */
  async pause(ms: number, { signal, onWait }: CallOptions, failure?: CountinghouseError): Promise<void> {
    if (ms <= 0) return;
    onWait?.(ms, failure);
    await inTime(async () => await this.shared.platform.sleep(ms, signal), { signal });
  }

  /** How long to wait after the last of a call's errors; undefined when the call is not repeated. */
  #waitMs(
    last: CountinghouseError,
    errors: readonly CountinghouseError[],
    elapsedMs: number,
  ): number | undefined {
    if (!isRepeatable(last)) return undefined;
    // The service's own fault does not pass by itself; one repetition is harmless.
    if (errors.filter(({ code }) => code === "internal_error").length > 1) return undefined;
    const isLimited = last.status === 429;
    const failures = errors.filter(({ status }) => (status === 429) === isLimited).length;
    return this.shared.retry.waitMs({ failures, elapsedMs, toldMs: last.retryAfterMs, isLimited });
  }

  /** Waits for the tokens of a request, then makes its credentials, which carry the time. Nothing is kept on a failure. */
  async #prepare(call: Call): Promise<Ready> {
    const { signal } = call.options;
    signal?.throwIfAborted();
    const reservation = this.#budget.reserve(call.cost);
    try {
      const pause = (ms: number): Promise<void> => this.pause(ms, call.options);
      await this.#budget.wait(reservation, this.shared.retry.tokensMsMax, pause);
      const request = { url: call.url.href, requestId: randomId() };
      const make = (): Promise<Credentials> => this.#interface.credentials(call.url);
      const making = { make, timeoutMs: this.shared.timeoutMs, signal };
      const { headers, secrets } = await sendableCredentials(making, request);
      return { reservation, asked: { ...request, mask: maskOf(secrets) }, credentials: headers };
    } catch (error) {
      this.#budget.release(reservation);
      throw error;
    }
  }

  async #attempt(
    call: Call,
    { reservation, asked, credentials }: Ready,
  ): Promise<Taken | CountinghouseError> {
    const { platform, timeoutMs, warnings } = this.shared;
    const headers = { ...call.headers, ...credentials, "Request-Id": asked.requestId };
    const { signal } = call.options;
    let answer: Answer | undefined;
    try {
      answer = await exchangeOnce(platform.fetch, { asked, headers, timeoutMs, signal });
      warnings.see(call.endpoint, answer.headers, asked.mask);
      const { retryAfterUnit } = this.#interface;
      return judge(answer, call, { ...asked, retryAfterUnit, now: platform.now() });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CountinghouseError) return error;
      throw error;
    } finally {
      this.#budget.settle(reservation, answer);
    }
  }
}
