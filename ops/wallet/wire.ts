import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { codeOf } from "../terminal/operator-error.ts";
import { type ExchangeLimits, NoAnswer, TIMEOUT_MS, type TlsFiles } from "./http-exchange.ts";

/** How long a server that keeps the connection open may stay quiet before no more bytes are waited for. */
const QUIET_MS = 1_000;
/** Header and stray bytes together; whoever sends more has been found out. */
const BYTES_MAX = 65_536;

/** What stood on the wire for a request that was sent twice on one connection. */
export interface Wire {
  /** Of the first final answer. */
  readonly status: number;
  /** Bytes behind a header that no header is made of: what a message without a body must not have. */
  readonly strayBytes: number;
}

/** The headers of one GET and of its repetition, which may differ in what no two requests share. */
export type TwiceHeaders = readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];

/**
 * Sends a GET, and once the answer's header is there the GET once more on the same connection, and reads until the server
 * closes it or has been quiet for a second. A body that comes late or in chunks then stands before the second status
 * line, where no parser of HTTP would show it. Of answers that may have a body, `strayBytes` counts that body.
 *
 * @throws {NoAnswer} when no whole header came.
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

function connect(url: URL, tls: TlsFiles): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (url.protocol !== "https:") return connectPlain({ host, port });
  // No name is sent for an address (RFC 6066 section 3).
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

/** Every byte that came. */
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
    // A header's characters are its bytes: a tag may have some beyond ASCII, and is sent back as it came.
    socket.write(requestText(url, second, "close"), "latin1");
  });
  const closed = once(socket, "close").catch(() => {});
  socket.write(requestText(url, first, "keep-alive"), "latin1");
  await closed;
  // A server may well close before the second request reaches it.
  if (text === "" && failure !== undefined) throw new NoAnswer(codeOf(failure));
  return text;
}

/** A status line and the fields below it. */
const HEADER = /HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/y;

/** Reads answers off the wire; undefined while there is no whole header of a final one. */
function parseWire(text: string): Wire | undefined {
  let status: number | undefined;
  let strayBytes = 0;
  let at = 0;
  while (at < text.length) {
    HEADER.lastIndex = at;
    const header = HEADER.exec(text);
    if (header !== null) {
      at = HEADER.lastIndex;
      // Early hints and their like come before the answer and are none (RFC 9110 15.2); what follows a switch is no HTTP.
      if (header[1] === "101" || !header[1]?.startsWith("1")) {
        if (status !== undefined && Number(header[1]) !== status) break;
        status ??= Number(header[1]);
      }
      continue;
    }
    // A header that the end of the connection cut short.
    if (text.startsWith("HTTP/1.", at)) break;
    const next = text.indexOf("HTTP/1.", at + 1);
    if (status !== undefined) strayBytes += (next < 0 ? text.length : next) - at;
    if (next < 0) break;
    at = next;
  }
  return status === undefined ? undefined : { status, strayBytes };
}
