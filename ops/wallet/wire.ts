import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { codeOf } from "../../local/process/operator-error.ts";
import { type ExchangeLimits, NoAnswer, TIMEOUT_MS, type TlsFiles } from "./http-exchange.ts";

/** After so long a silence on an open connection, no more bytes are expected. */
const QUIET_MS = 1_000;
/** The most bytes that are read, headers and stray bytes together; more would not change the finding. */
const BYTES_MAX = 65_536;

/** The bytes that answered a request that was sent twice on one connection. */
export interface Wire {
  /** The status of the first final answer. */
  readonly status: number;
  /** The number of bytes after a header that belong to no header; a message without a body must not have any. */
  readonly strayBytes: number;
}

/** The headers of a GET and of its repetition, which may differ in values of one request, such as Request-Id. */
export type TwiceHeaders = readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];

/**
 * Sends a GET and, once the answer's header has arrived, the GET again on the same connection. Reads until the server
 * closes the connection or has been quiet for a second. A body that comes late or in chunks then stands before the
 * second status line, where an HTTP parser would not show it. For answers that may have a body, `strayBytes` counts
 * that body.
 *
 * @throws {NoAnswer} when no complete header arrived.
 */
export async function readWire(
  url: URL,
  headers: TwiceHeaders,
  tls: TlsFiles,
  { timeoutMs = TIMEOUT_MS, signal }: ExchangeLimits = {},
): Promise<Wire> {
  const socket = connect(url, tls);
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = (): void => void socket.destroy();
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  either.addEventListener("abort", stop, { once: true });
  try {
    const wire = parseWire(await converse(socket, url, headers));
    if (wire !== undefined) return wire;
    throw new NoAnswer(timeout.aborted ? `silent for ${timeoutMs / 1000} s` : "no HTTP", timeout.aborted);
  } finally {
    either.removeEventListener("abort", stop);
    socket.destroy();
  }
}

/**
 * Opens a connection to the address of a URL.
 *
 * @param tls for `https:`; `rejectUnauthorized` keeps the environment from switching off the check of certificates.
 */
export function connect(url: URL, tls: TlsFiles & { readonly rejectUnauthorized?: boolean }): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (url.protocol !== "https:") return connectPlain({ host, port });
  // The server name extension takes no addresses (RFC 6066 section 3).
  const isAddress = /^[\d.]+$|:/.test(host);
  return connectSecure({ host, port, ...tls, ...(!isAddress && { servername: host }) });
}

const requestText = (url: URL, headers: Readonly<Record<string, string>>, connection: string): string =>
  [
    `GET ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Connection: ${connection}`,
    "\r\n",
  ].join("\r\n");

/** Sends the two requests, and resolves with every byte that came back. */
async function converse(socket: Socket, url: URL, [first, second]: TwiceHeaders): Promise<string> {
  let text = "";
  let failure: unknown;
  let hasAskedAgain = false;
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    if (text.length > BYTES_MAX) socket.destroy();
    if (hasAskedAgain || parseWire(text) === undefined) return;
    hasAskedAgain = true;
    socket.setTimeout(QUIET_MS, () => socket.destroy());
    // Each character of a header is one byte: a tag may have bytes beyond ASCII, and is sent back as it came.
    socket.write(requestText(url, second, "close"), "latin1");
  });
  const closed = once(socket, "close").catch(() => {});
  socket.write(requestText(url, first, "keep-alive"), "latin1");
  await closed;
  // A failure after the first bytes is ignored: a server may close the connection before the second request reaches it.
  if (text === "" && failure !== undefined) throw new NoAnswer(codeOf(failure));
  return text;
}

/** A status line and the fields below it. */
const HEADER = /HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/y;

/** Reads the answers in the bytes; undefined until the header of a final answer is complete. */
function parseWire(text: string): Wire | undefined {
  let status: number | undefined;
  let strayBytes = 0;
  let at = 0;
  while (at < text.length) {
    HEADER.lastIndex = at;
    const header = HEADER.exec(text);
    if (header !== null) {
      at = HEADER.lastIndex;
      // Interim answers, such as early hints, are skipped (RFC 9110 15.2). A 101 counts: bytes after it are not HTTP.
      if (header[1] === "101" || !header[1]?.startsWith("1")) {
        if (status !== undefined && Number(header[1]) !== status) break;
        status ??= Number(header[1]);
      }
      continue;
    }
    // The end of the connection cut this header short.
    if (text.startsWith("HTTP/1.", at)) break;
    const next = text.indexOf("HTTP/1.", at + 1);
    if (status !== undefined) strayBytes += (next < 0 ? text.length : next) - at;
    if (next < 0) break;
    at = next;
  }
  return status === undefined ? undefined : { status, strayBytes };
}
