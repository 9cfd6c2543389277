import { once } from "node:events";
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ownMember } from "../../lib/own-member.ts";
import { type EndingMs, OpenExchanges } from "./open-exchanges.ts";
import { createRequestHandler, type HandlerOptions, withRequestId } from "./request-handler.ts";
import { type GatewayResponse, type OwnStatus, ownResponse } from "./response.ts";

/** Node's own limit lies above the gateway's, so that the answer to a large request is the gateway's. */
const PARSER_HEADER_BYTES_MAX = 65_536;
/** A client that keeps its connection meets no closed one between two requests. */
const KEEP_ALIVE_MS = 65_000;

/** How long a client may take over a request, and how often it is looked whether one takes longer. */
export interface PatienceMs {
  readonly header: number;
  /** Header and body together. */
  readonly request: number;
  readonly look: number;
}

const PATIENCE_MS: PatienceMs = { header: 10_000, request: 30_000, look: 1_000 };

/** Whoever stops a program by a signal gives it ten seconds as a rule, and the store has to be closed in them too. */
export const ENDING_MS: EndingMs = { answers: 5_000, taking: 500 };

/** As a domain with the security policy TLS_1_2 and a truststore. */
const MUTUAL_TLS = { requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

export interface Gateway {
  /** Begins to answer; the port is of interest when any free one (0) was asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new request, finishes the answers under way within some seconds, and cuts every connection. */
  close(): Promise<void>;
}

/** What a domain with mutual TLS has: its own certificate and key, and the authorities that clients must come from. */
export interface MutualTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface GatewayOptions extends HandlerOptions {
  readonly patienceMs?: PatienceMs;
  readonly endingMs?: EndingMs;
}

/**
 * Serves the API of an application as an HTTP API does, with functions on this machine: over HTTP or, with mutual TLS,
 * to clients alone that show a certificate in force. Whoever shows none, or another, fails in the handshake.
 */
export function createGateway(options: GatewayOptions, tls?: MutualTls): Gateway {
  const { patienceMs = PATIENCE_MS, endingMs = ENDING_MS } = options;
  const handle = createRequestHandler(options);
  const answer: RequestListener = (request, response) =>
    exchanges.run(request, response, async () => {
      const given = await handle(request);
      if (exchanges.isEnding) response.setHeader("connection", "close");
      send(response, given);
    });
  const limits = limitsOf(patienceMs);
  const server: Server =
    tls === undefined
      ? createServer(limits, answer)
      : createSecureServer({ ...limits, ...tls, ...MUTUAL_TLS }, answer);
  const exchanges = new OpenExchanges(server);
  server.on("clientError", refuseUnreadable);
  // Node would answer without a body, and to CONNECT not at all.
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

function send(response: ServerResponse, { statusCode, headers, body }: GatewayResponse): void {
  response.writeHead(statusCode, {
    ...headers,
    ...(body && { "content-length": body.length }),
  });
  response.end(body);
}

/** What Node sees to by itself. The rule for `Host` is kept where the answer is the gateway's own. */
const limitsOf = ({ header, request, look }: PatienceMs): ServerOptions => ({
  maxHeaderSize: PARSER_HEADER_BYTES_MAX,
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: header,
  requestTimeout: request,
  connectionsCheckingInterval: look,
  requireHostHeader: false,
});

/** Why a request never becomes one, by Node's code for it; whatever else its parser says is a bad request. */
const REFUSALS: Readonly<Record<string, OwnStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** What Node's parser refuses, or does not wait for any longer, never becomes a request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const code = String(error.code);
  const status = ownMember(REFUSALS, code) ?? (code.startsWith("HPE_") ? 400 : undefined);
  // What broke off a handshake was no request, and has no answer.
  if (status === undefined) socket.destroy();
  else refuse(socket, status);
}

/** Writes the gateway's own answer to a connection that is good for nothing else. */
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
