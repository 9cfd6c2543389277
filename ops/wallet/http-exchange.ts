import { isUtf8 } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { codeOf } from "../../local/process/operator-error.ts";

/** The longest wait for a server, unless the caller sets another. */
export const TIMEOUT_MS = 15_000;
/** More than any pass has; the rest of a longer body is not read. */
export const BODY_BYTES_MAX = 1_048_576;

/** PEM texts: the client's certificate and key, and the authorities that it trusts in place of the system's. */
export interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** The time that a server may take for one request, and the signal that ends the request earlier. */
export interface ExchangeLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The options of one request. */
export interface ExchangeOptions extends ExchangeLimits {
  /** Times the answer; the machine's clock unless given. */
  readonly clock?: Clock;
  /** The body of a POST; without it, a GET is sent. */
  readonly body?: string;
}

/** The answer to one request. */
export interface SeenResponse {
  readonly status: number;
  /** By lower-case names; values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, or its beginning when `isCut`. */
  readonly body: string;
  /** The body as it came, in its coding. */
  readonly bytes: Buffer;
  /** The number of bytes of the body that were read. */
  readonly bodyBytes: number;
  /** Whether the body was longer than 1 MiB, so that its rest was not read. */
  readonly isCut: boolean;
  readonly isUtf8: boolean;
  /** When the answer's header had arrived, in epoch milliseconds. */
  readonly answeredAt: number;
}

/** No answer came back: the connection was refused, broken or silent. The message says which, by the system's code. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** Whether the time ran out, before or after the connection was made. */
  readonly isSilent: boolean;

  constructor(message: string, isSilent = false) {
    super(message);
    this.isSilent = isSilent;
  }

  /** Whether nothing listens at the address. */
  get isRefused(): boolean {
    return this.message === "ECONNREFUSED";
  }
}

/** For the failure of an {@link exchange}: makes an outcome of having no answer. */
export function unlessNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  throw error;
}

/** Sends one request on a connection of its own. Redirects are not followed. Throws only `NoAnswer`. */
export async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  tls: TlsFiles,
  { timeoutMs = TIMEOUT_MS, signal, clock = systemClock, body: sent }: ExchangeOptions = {},
): Promise<SeenResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  try {
    const request = send(url, {
      method: sent === undefined ? "GET" : "POST",
      headers: { ...headers, connection: "close" },
      agent: false,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(url.protocol === "https:" && tls),
    });
    request.end(sent);
    const response = await responseTo(request);
    const answeredAt = clock();
    const body = await readBody(response);
    const lines = Object.entries(response.headersDistinct);
    const received = Object.fromEntries(lines.map(([name, values = []]) => [name, values.join(", ")]));
    return { status: response.statusCode ?? 0, headers: received, ...body, answeredAt };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    if (timeout.aborted) throw new NoAnswer(`silent for ${timeoutMs / 1000} s`, true);
    throw new NoAnswer(codeOf(error));
  }
}

/**
 * The final answer to a request. A 101 is not an answer: a server must not switch to a protocol that the client did not
 * ask for (RFC 9110 7.8), and the bytes after a switch are not HTTP.
 *
 * @throws {NoAnswer} or the system's error when there is no answer.
 */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const refuseSwitch = (): void => {
    reject(new NoAnswer("101 Switching Protocols, which was not asked for"));
    request.destroy();
  };
  request.on("response", (response) => (response.statusCode === 101 ? refuseSwitch() : resolve(response)));
  request.on("upgrade", refuseSwitch);
  // The listener stays for later errors: the parser reports bytes after a message without a body as one. `readWire` is
  // what judges those bytes.
  request.on("error", reject);
  // Any other end of the request emits only this event.
  request.on("close", () => reject(new NoAnswer("the connection was closed without an answer")));
  return promise;
}

/** The body, up to its limit. An error after a complete message is ignored, because it concerns later bytes. */
async function readBody(response: IncomingMessage) {
  const chunks: Buffer[] = [];
  let bodyBytes = 0;
  try {
    // Leaving the loop destroys the connection, so that an endless body ends here.
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bodyBytes += chunk.length;
      if (bodyBytes > BODY_BYTES_MAX) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!response.complete) throw error;
  }
  const bytes = Buffer.concat(chunks);
  const isCut = bodyBytes > BODY_BYTES_MAX;
  return { body: bytes.toString("utf8"), bytes, bodyBytes, isCut, isUtf8: isUtf8(bytes) };
}
