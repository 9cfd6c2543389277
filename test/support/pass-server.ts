import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { namesTag } from "../../lib/passes/entity-tag.ts";

/** One answer of a pass endpoint that is written for tests. */
export interface PassAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface PassRequest {
  readonly reference: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export const TOKENS = { good: "aGVhZA.Y2xhaW1z.c2lnbmF0dXJl", noScope: "aGVhZA.Y2xhaW1z.bm9zY29wZQ" };
const LATE_MS = 30;
export const REFERENCES = { current: "ref-1", gone: "ref-gone" };

/** How a server departs from the contract: it changes the right answer, or what the right answer is made from. */
export interface Breach {
  readonly tagOf?: (body: string, version: number) => string;
  readonly change?: (answer: PassAnswer, request: PassRequest, state: ServerState) => PassAnswer;
  readonly isNamed?: (ifNoneMatch: string | undefined, tag: string) => boolean;
  /** Sent on the wire behind a 304, with its header or in a write of its own. */
  readonly tail?: string;
  readonly isTailLate?: boolean;
  /** How the body's characters become bytes; UTF-8 unless said. */
  readonly encoding?: BufferEncoding;
  /** Sent on the wire before each answer; what a function returns, before the one it was asked for. */
  readonly early?: string | (() => string);
}

export interface ServerState {
  version: number;
  /** Requests that are still let through; refilled when the caller waits. */
  allowance: number;
}

const error = (status: number, headers: Record<string, string> = {}): PassAnswer => ({
  status,
  headers,
  body: '{"code":"x"}',
});

/** The answer that keeps the contract, but for a breach in its parts. */
function rightAnswer(request: PassRequest, state: ServerState, breach: Breach): PassAnswer {
  const { headers, reference } = request;
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === TOKENS.noScope) return error(403);
  if (token !== TOKENS.good) return error(401);
  if (headers["service-api-version"] !== "2026-07-01") return error(400);
  state.allowance -= 1;
  if (state.allowance < 0) return error(429, { "retry-after": "1" });
  if (reference === REFERENCES.gone) return error(410);
  if (reference !== REFERENCES.current) return error(404);
  const body = JSON.stringify({ partner_reference: reference, version: state.version });
  const tag = breach.tagOf?.(body, state.version) ?? `"tag-${state.version}"`;
  const isNamed = (breach.isNamed ?? namesTag)(headers["if-none-match"], tag);
  return isNamed
    ? { status: 304, headers: { etag: tag }, body: "" }
    : { status: 200, headers: { "content-type": "application/json", etag: tag }, body };
}

/** A pass endpoint over plain sockets, so that it can break HTTP as well. */
export async function startPassServer(breach: Breach = {}, allowance = Number.POSITIVE_INFINITY) {
  const state: ServerState = { version: 1, allowance };
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const request = parseRequest(text);
      text = "";
      const right = rightAnswer(request, state, breach);
      const echoed = {
        ...right,
        headers: { ...right.headers, "request-id": request.headers["request-id"] ?? "none" },
      };
      const { status, headers, body } = breach.change?.(echoed, request, state) ?? echoed;
      const lines = Object.entries({
        ...headers,
        ...(status !== 304 && !("transfer-encoding" in headers)
          ? { "content-length": String(Buffer.byteLength(body, breach.encoding)) }
          : {}),
      });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const rest = status === 304 ? (breach.tail ?? "") : body;
      const early = typeof breach.early === "function" ? breach.early() : (breach.early ?? "");
      const header = `${early}HTTP/1.1 ${status} X\r\n${head}connection: close\r\n\r\n`;
      if (breach.isTailLate !== true) socket.end(`${header}${rest}`, breach.encoding);
      // Only once the header has left, and been read: by then a client may think that it has everything.
      else socket.write(header, () => setTimeout(() => socket.end(rest), LATE_MS));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function parseRequest(text: string): PassRequest {
  const [line = "", ...rest] = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");
  const headers = Object.fromEntries(
    rest.map((header) => [
      header.slice(0, header.indexOf(":")).toLowerCase(),
      header.slice(header.indexOf(":") + 1).trim(),
    ]),
  );
  return { reference: decodeURIComponent(line.split(" ")[1]?.split("/").at(-1) ?? ""), headers };
}
