import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { codeOf } from "../operator-error.ts";

/** No server under check is waited for any longer than this. */
const TIMEOUT_MS = 15_000;
/** More than any pass has; a body beyond it is cut. */
const BODY_BYTES_MAX = 1_048_576;

/** Certificates as PEM: what the client proves itself with, and whom it trusts beside the system's authorities. */
export interface TlsFiles {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** What came back for one request. */
export interface SeenResponse {
  readonly status: number;
  /** By lower-case names; values of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes that followed the header on the wire, also where HTTP allows none. */
  readonly bytesAfterHeader: number;
}

/** No answer came back: the connection was refused, broken or silent. The message says which, by the system's code. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/**
 * Sends one GET on a connection of its own and reads everything until the server closes it. Redirects are not
 * followed. Throws `NoAnswer`, and nothing else.
 */
export async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  tls: TlsFiles,
): Promise<SeenResponse> {
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  const request = send(url, {
    headers: { ...headers, connection: "close" },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(url.protocol === "https:" && tls),
  });
  const wire = recordWire(request);
  request.end();
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    // What follows a message that may have no body is an error to the parser, and a finding to us.
    request.on("error", () => {});
    const body = await readBody(response);
    await closed(request);
    return {
      status: response.statusCode ?? 0,
      headers: joinHeaders(response.rawHeaders),
      body,
      bytesAfterHeader: wire.bytesAfterHeader(),
    };
  } catch (error) {
    throw new NoAnswer(codeOf(error));
  }
}

/** The body as far as it is kept. A message that was received whole is no less whole for what came after it. */
async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    }
  } catch (error) {
    if (!response.complete) throw error;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Resolves once the connection can bring nothing more. */
async function closed({ socket }: ClientRequest): Promise<void> {
  if (socket !== null && !socket.closed)
    await once(socket, "close", { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** Listens in on the connection: the parser would drop what a message must not have. */
function recordWire(request: ClientRequest): { bytesAfterHeader(): number } {
  const chunks: Buffer[] = [];
  request.on("socket", (socket) => socket.on("data", (chunk: Buffer) => chunks.push(chunk)));
  return {
    bytesAfterHeader: () => {
      const wire = Buffer.concat(chunks);
      const end = wire.indexOf("\r\n\r\n");
      return end < 0 ? 0 : wire.length - end - 4;
    },
  };
}

function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase();
    const value = String(rawHeaders[index + 1]);
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
