import { Budget } from "./budget.ts";
import type { EndpointName } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { type Answer, exchangeOnce } from "./exchange-once.ts";
import type { Asked } from "./failure.ts";
import { type Acceptable, judge, type Taken } from "./judge.ts";
import { type Platform, randomId } from "./platform.ts";
import type { RetryPolicy } from "./retry.ts";
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
  readonly signal?: AbortSignal | undefined;
  /** Told of each wait before it begins, in milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
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
   * @throws the reason of the signal, once it is aborted.
   */
  async send(call: Call): Promise<Taken> {
    const { now } = this.shared.platform;
    const startedAt = now();
    const errors: CountinghouseError[] = [];
    for (;;) {
      const outcome = await this.#attempt(call);
      if (!(outcome instanceof CountinghouseError)) return outcome;
      errors.push(outcome);
      const waitMs = this.#waitMs(outcome, errors, now() - startedAt);
      if (waitMs === undefined) throw outcome;
      await this.#wait(waitMs, call);
    }
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

  async #wait(ms: number, { signal, onWait }: Call): Promise<void> {
    if (ms <= 0) return;
    onWait?.(ms);
    await this.shared.platform.sleep(ms, signal);
  }

  /** One attempt, which waits for its tokens first. */
  async #attempt(call: Call): Promise<Taken | CountinghouseError> {
    const waitMs = this.#budget.reserve(call.cost);
    let headers: Headers | undefined;
    try {
      await this.#wait(waitMs, call);
      const requestId = randomId();
      const credentials = await sendableCredentials(this.#interface, call.url, requestId);
      const asked = this.#asked(call.url, requestId, credentials.secrets);
      const answer = await this.#exchange(call, asked, credentials.headers);
      headers = answer.headers;
      this.shared.warnings.see(call.endpoint, headers);
      return judge(answer, call, { ...asked, now: this.shared.platform.now() });
    } catch (error) {
      if (error instanceof CountinghouseError) return error;
      throw error;
    } finally {
      this.#budget.settle(call.cost, headers);
    }
  }

  #asked(url: URL, requestId: string, secrets: readonly string[]): Asked {
    const { retryAfterUnit } = this.#interface;
    return { url: url.href, requestId, retryAfterUnit, now: this.shared.platform.now(), secrets };
  }

  #exchange(
    { headers, signal }: Call,
    { url, requestId }: Asked,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { platform, timeoutMs } = this.shared;
    const sent = { ...headers, ...credentials, "Request-Id": requestId };
    return exchangeOnce(platform.fetch, { url, headers: sent, timeoutMs, requestId, signal });
  }
}

const isRepeatable = ({ code, status }: CountinghouseError): boolean =>
  code === "network_error" ||
  code === "timeout" ||
  (status !== undefined && (status === 429 || status >= 500));
