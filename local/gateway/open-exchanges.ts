import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { within } from "../process/within.ts";

/** How long an ending server waits for the answers under way, and then for clients to receive them. */
export interface EndingMs {
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
export class OpenExchanges {
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
