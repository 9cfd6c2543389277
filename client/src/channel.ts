import { Budget } from "./budget.ts";
import type { EndpointName } from "./contract.ts";
import { CountinghouseError } from "./error.ts";
import { type Answer, exchangeOnce } from "./exchange-once.ts";
import { type Asked, failureOf, isGatewayAnswer } from "./failure.ts";
import { type Platform, randomId } from "./platform.ts";
import { type Expected, readBody } from "./read-body.ts";
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
export interface Call extends Expected {
  readonly endpoint: EndpointName;
  readonly url: URL;
  /** Tokens that the request takes from the limit. */
  readonly cost: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that the caller takes as answers, beside 200. */
  readonly accepts?: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** Told of each wait before it begins, in milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
}

/** An answer that the call takes. */
export interface Taken extends Answer {
  /** The checked document of a 200; undefined for another status. */
  readonly value: unknown;
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
    for (let failures = 0; ; ) {
      const outcome = await this.#attempt(call);
      if (!(outcome instanceof CountinghouseError)) return outcome;
      const isLimited = outcome.status === 429;
      if (!isLimited) failures += 1;
      const waitMs = this.#waitMs(outcome, { failures, elapsedMs: now() - startedAt, isLimited });
      if (waitMs === undefined) throw outcome;
      await this.#wait(waitMs, call);
    }
  }

  #waitMs(
    error: CountinghouseError,
    known: { readonly failures: number; readonly elapsedMs: number; readonly isLimited: boolean },
  ): number | undefined {
    // The service's own fault does not pass by itself; one repetition is harmless.
    const isHopeless = error.code === "internal_error" && known.failures > 1;
    if (isHopeless || !isRepeatable(error)) return undefined;
    return this.shared.retry.waitMs({ ...known, toldMs: error.retryAfterMs });
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

/** The answer, if the call takes it, or the error that it stands for. */
function judge(answer: Answer, call: Call, asked: Asked): Taken | CountinghouseError {
  const { status } = answer;
  // A 404 of API Gateway says nothing of the record.
  const isTaken = status === 200 || (call.accepts?.includes(status) === true && !isGatewayAnswer(answer));
  if (!isTaken) return failureOf(answer, asked);
  if (status !== 200) return { ...answer, value: undefined };
  const read = readBody(answer, call, asked);
  return read instanceof CountinghouseError ? read : { ...answer, ...read };
}
