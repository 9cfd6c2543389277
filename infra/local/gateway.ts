import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { newGatewayRequestId } from "./gateway-request-id.ts";
import { createRequestHandler, type HandlerOptions } from "./request-handler.ts";
import { type GatewayResponse, ownResponse } from "./response.ts";

/** Node's own limit lies above the gateway's, so that the answer to a large request is the gateway's. */
const PARSER_HEADER_BYTES_MAX = 65_536;
/** A client that keeps its connection meets no closed one between two requests. */
const KEEP_ALIVE_MS = 65_000;

/** As a domain with the security policy TLS_1_2 and a truststore. */
const MUTUAL_TLS = { requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;

export interface Gateway {
  /** Begins to answer; the port is of interest when any free one (0) was asked for. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new requests, waits for those in flight, and closes every connection. */
  close(): Promise<void>;
}

/** What a domain with mutual TLS has: its own certificate and key, and the authorities that clients must come from. */
export interface MutualTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/**
 * Serves the API of an application as an HTTP API does, with functions on this machine: over HTTP or, with mutual TLS,
 * to clients alone that show a certificate in force. Whoever shows none, or another, fails in the handshake.
 */
export function createGateway(options: HandlerOptions, tls?: MutualTls): Gateway {
  const handle = createRequestHandler(options);
  const limits = { maxHeaderSize: PARSER_HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS };
  const answer: RequestListener = (request, response) => {
    void handle(request).then((given) => send(server, response, given));
  };
  const server: Server =
    tls === undefined
      ? createServer(limits, answer)
      : createSecureServer({ ...limits, ...tls, ...MUTUAL_TLS }, answer);
  server.on("clientError", refuseUnreadable);
  return {
    listen: async (port, host) => {
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

function send(
  server: Server,
  response: ServerResponse,
  { statusCode, headers, body }: GatewayResponse,
): void {
  // While the server closes, a kept connection would keep it open.
  if (!server.listening) response.setHeader("connection", "close");
  response.writeHead(statusCode, {
    ...headers,
    ...(body && { "content-length": body.length }),
  });
  response.end(body);
}

/** What Node's parser refuses never becomes a request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // What broke off a handshake was no request, and has no answer.
  if (!socket.writable || !String(error.code).startsWith("HPE_")) {
    socket.destroy();
    return;
  }
  const [status, reason] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ([431, "Request Header Fields Too Large"] as const)
      : ([400, "Bad Request"] as const);
  const body = ownResponse(status).body?.toString() ?? "";
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    `apigw-requestid: ${newGatewayRequestId()}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
