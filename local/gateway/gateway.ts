import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { ownMember } from "../../lib/own-member.ts";
import { within } from "../process/within.ts";
import { createRequestHandler, type HandlerOptions, withRequestId } from "./request-handler.ts";
import { type GatewayResponse, type OwnStatus, ownResponse } from "./response.ts";

/** Above the gateway's own limit, so that the gateway, not Node.js, answers a request with too many header bytes. */
const PARSER_HEADER_BYTES_MAX = 65_536;
/** Idle connections stay open this long, so that a client does not send its next request on a closed one. */
const KEEP_ALIVE_MS = 65_000;

/** How long a client may take to send a request, and how often the server looks for requests that take longer. */
interface PatienceMs {
  readonly header: number;
  /** Header and body together. */
  readonly request: number;
  readonly look: number;
}

const PATIENCE_MS: PatienceMs = { header: 10_000, request: 30_000, look: 1_000 };

/** `docker stop` kills a program ten seconds after its signal, and the store has to close within them too. */
export const ENDING_MS: EndingMs = { answers: 5_000, taking: 500 };

/** The handshake of a custom domain with a truststore and the security policy TLS_1_2. */
const MUTUAL_TLS = { requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

export interface Gateway {
  /** Starts to answer on a port, or on any free one for 0. @returns the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new request, finishes the answers under way within `endingMs`, and cuts every connection. */
  close(): Promise<void>;
}

/** PEM of a domain with mutual TLS: its own certificate and key, and the authorities whose clients it admits. */
export interface MutualTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/**
 * Answers what a local server has beside its API, with streams of its own. It returns whether it did. An ending gateway
 * does not wait for it.
 */
export type Desk = (message: IncomingMessage, response: ServerResponse) => boolean;

export interface GatewayOptions extends HandlerOptions {
  /** Absent for a gateway that answers nothing but its API. */
  readonly desk?: Desk;
  readonly patienceMs?: PatienceMs;
  readonly endingMs?: EndingMs;
}

/**
 * Serves an application's API as an HTTP API does, with functions on this machine: over HTTP or, given `tls`, over
 * mutual TLS. Then the handshake fails for a client without a valid certificate of one of the authorities.
 */
export function createGateway(options: GatewayOptions, tls?: MutualTls): Gateway {
  const { patienceMs = PATIENCE_MS, endingMs = ENDING_MS } = options;
  const handle = createRequestHandler(options);
  const answer: RequestListener = (request, response) => {
    if (!exchanges.isEnding && options.desk?.(request, response)) return;
    exchanges.run(request, response, async () => {
      const given = await handle(request);
      if (exchanges.isEnding) response.setHeader("connection", "close");
      // Node.js would give the machine's time, which need not be the service's.
      response.setHeader("date", new Date(options.clock()).toUTCString());
      send(response, given);
    });
  };
  const limits = limitsOf(patienceMs);
  const server: Server =
    tls === undefined
      ? createServer(limits, answer)
      : createSecureServer({ ...limits, ...tls, ...MUTUAL_TLS }, answer);
  const exchanges = new OpenExchanges(server);
  server.on("clientError", refuseUnreadable);
  // Node.js would answer an unknown expectation without a body, and close the connection of a CONNECT unanswered.
  server.on("checkExpectation", (_, response) => send(response, withRequestId(ownResponse(417))));
  server.on("connect", (_, socket) => refuse(socket, 400));
  return {
    listen: async (port, host) => {
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    close: async () => {
      await exchanges.end(endingMs);
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

function send(response: ServerResponse, { statusCode, headers, body, ending }: GatewayResponse): void {
  if (ending === "reset") {
    reset(response.socket);
    return;
  }
  response.writeHead(statusCode, {
    ...headers,
    ...(body !== undefined && { "content-length": body.length }),
  });
  if (ending === "cut") response.write(halfOf(body), () => response.destroy());
  else response.end(body);
}

/** Only a plain connection can be reset; one with TLS is ended without its closing message. */
function reset(socket: Socket | null): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket?.resetAndDestroy();
}

/** The first half of a body; nothing of a missing one. */
const halfOf = (body: Buffer | undefined): Uint8Array =>
  body === undefined ? new Uint8Array() : body.subarray(0, Math.floor(body.length / 2));

/** Limits that Node.js enforces. The request handler checks `Host`, so that the answer has the gateway's form. */
const limitsOf = ({ header, request, look }: PatienceMs): ServerOptions => ({
  maxHeaderSize: PARSER_HEADER_BYTES_MAX,
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: header,
  requestTimeout: request,
  connectionsCheckingInterval: look,
  requireHostHeader: false,
});

/** The status for each error code of Node.js. Any other error of its parser is a 400. */
const REFUSALS: Readonly<Record<string, OwnStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what the request handler never sees: input that Node's parser refuses, or that takes too long to arrive. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const code = String(error.code);
  const status = ownMember(REFUSALS, code) ?? (code.startsWith("HPE_") ? 400 : undefined);
  // A failed handshake or a broken connection has no request to answer.
  if (status === undefined) socket.destroy();
  else refuse(socket, status);
}

/** Writes the gateway's own answer to a connection without a request, and ends the connection. */
function refuse(socket: Duplex, status: OwnStatus): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { headers, body = Buffer.alloc(0) } = withRequestId(ownResponse(status));
  const lines = Object.entries({ ...headers, "content-length": body.length, connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body.toString()}`);
}

/** How long an ending server waits for the answers under way, and then for clients to receive them. */
interface EndingMs {
  readonly answers: number;
  readonly taking: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  /** Resolves when the answer is written, or the client is gone. */
  readonly answered: Promise<void>;
  /** Resolves when the client has received the answer, or is gone. */
  readonly taken: Promise<void>;
}

/**
 * The connections of a server and the requests that it is answering, so that it can end whatever its clients do. Node's
 * own `close` waits for ever for a connection that has sent nothing, or only part of a request, and cuts off a
 * connection whose answer is written but not received.
 */
class OpenExchanges {
  readonly #connections = new Set<Socket>();
  readonly #exchanges = new Set<Exchange>();
  #isEnding = false;

  constructor(server: Server) {
    // A secure server emits these connections below TLS, so that one in an unfinished handshake counts.
    server.on("connection", (socket: Socket) => {
      if (this.#isEnding) socket.destroy();
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
  }

  /** Whether the server has stopped answering new requests. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Answers a request, or cuts its connection when the server is ending. */
  run(request: IncomingMessage, response: ServerResponse, answer: () => Promise<void>): void {
    if (this.#isEnding) {
      this.#cut(request);
      return;
    }
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    const exchange = { request, answered: Promise.race([answer(), taken]), taken };
    this.#exchanges.add(exchange);
    response.once("close", () => {
      this.#exchanges.delete(exchange);
      resolve();
    });
  }

  /**
   * Waits for the answers under way until clients have received them or the times are over, then cuts every connection.
   * A request that has not fully arrived is not waited for.
   */
  async end({ answers, taking }: EndingMs): Promise<void> {
    this.#isEnding = true;
    const open = [...this.#exchanges];
    for (const { request } of open) if (!request.complete) this.#cut(request);
    await within(answers, Promise.all(open.map(({ answered }) => answered)));
    await within(taking, Promise.all(open.map(({ taken }) => taken)));
    for (const socket of this.#connections) socket.destroy();
  }

  /** Cuts a request's connection, unless an earlier request on it still waits for its answer. */
  #cut({ socket }: IncomingMessage): void {
    const isWaiting = [...this.#exchanges].some(
      ({ request }) => request.complete && request.socket === socket,
    );
    if (!isWaiting) socket.destroy();
  }
}
