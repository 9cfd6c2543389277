import { isUtf8 } from "node:buffer";
import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { codeOf } from "../terminal/operator-error.ts";

/** No server is waited for any longer than this, unless the caller says otherwise. */
export const TIMEOUT_MS = 15_000;
/** More than any pass has; the connection is given up beyond it. */
export const BODY_BYTES_MAX = 1_048_576;

/** Certificates as PEM: what the client proves itself with, and whom it trusts in place of the system's authorities. */
export interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** How long a server may take over one request, and what ends the request before that. */
export interface ExchangeLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** What one request is sent with beside its headers. */
export interface ExchangeOptions extends ExchangeLimits {
  /** Says when the answer came; the machine's clock unless given. */
  readonly clock?: Clock;
}

/** What came back for one request. */
export interface SeenResponse {
  readonly status: number;
  /** By lower-case names; values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, or its beginning when `isCut`. */
  readonly body: string;
  /** The body as it came, in its coding. */
  readonly bytes: Buffer;
  /** How many bytes of it came, as far as they were read. */
  readonly bodyBytes: number;
  /** Whether the body was longer than 1 MiB, so that the rest of it was not read. */
  readonly isCut: boolean;
  readonly isUtf8: boolean;
  /** When its header had come, in epoch milliseconds. */
  readonly answeredAt: number;
}

/** No answer came back: the connection was refused, broken or silent. The message says which, by the system's code. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  /** Whether the time ran out, while the connection stood or was being made. */
  readonly isSilent: boolean;

  constructor(message: string, isSilent = false) {
    super(message);
    this.isSilent = isSilent;
  }
}

/** Sends one GET on a connection of its own. Redirects are not followed. Throws `NoAnswer`, and nothing else. */
export async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  tls: TlsFiles,
  { timeoutMs = TIMEOUT_MS, signal, clock = systemClock }: ExchangeOptions = {},
): Promise<SeenResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  try {
    const request = send(url, {
      headers: { ...headers, connection: "close" },
      agent: false,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      ...(url.protocol === "https:" && tls),
    });
    request.end();
    const response = await responseTo(request);
    const answeredAt = clock();
    const body = await readBody(response);
    const seen = { status: response.statusCode ?? 0, headers: joinHeaders(response.rawHeaders) };
    return { ...seen, ...body, answeredAt };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    if (timeout.aborted) throw new NoAnswer(`silent for ${timeoutMs / 1000} s`, true);
    throw new NoAnswer(codeOf(error));
  }
}

/**
 * The final answer to a request, or why there is none. A client that asked for no other protocol may be switched to
 * none (RFC 9110 7.8), and what follows such a switch is no HTTP.
 */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const refuseSwitch = (): void => {
    reject(new NoAnswer("101 Switching Protocols, which nobody asked for"));
    request.destroy();
  };
  request.on("response", (response) => (response.statusCode === 101 ? refuseSwitch() : resolve(response)));
  request.on("upgrade", refuseSwitch);
  // It stays for what comes later: bytes behind a message that may have no body are an error to the parser, and the
  // wire is read elsewhere.
  request.on("error", reject);
  // Whatever else ends a request closes it, and nothing would be heard of it any more.
  request.on("close", () => reject(new NoAnswer("the connection was closed without an answer")));
  return promise;
}

/** The body, up to its limit. A message that was received whole is no less whole for what came after it. */
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

function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase();
    const value = String(rawHeaders[index + 1]);
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
