import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { within } from "../within.ts";

/** How long a server that ends waits for the answers under way, and then for clients to take them. */
export interface EndingMs {
  readonly answers: number;
  readonly taking: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  /** Resolves when the answer is on its way, or its client is gone. */
  readonly answered: Promise<void>;
  /** Resolves when the client has the answer, or is gone. */
  readonly taken: Promise<void>;
}

/**
 * Every connection of a server, and every request that it is answering, so that it can end whatever its clients do. Node
 * waits for ever for a connection that has sent nothing yet, or a part of a request, and cuts one off whose answer is
 * written but not taken.
 */
export class OpenExchanges {
  readonly #connections = new Set<Socket>();
  readonly #exchanges = new Set<Exchange>();
  #isEnding = false;

  constructor(server: Server) {
    // Of a secure server these are the connections below TLS, so that an unfinished handshake counts.
    server.on("connection", (socket: Socket) => {
      if (this.#isEnding) socket.destroy();
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
  }

  /** Whether nothing new is answered any more. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Answers a request, unless the server is ending: then its connection is cut. */
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
   * Resolves when the answers under way are with their clients, or have had their time, and every connection is cut. A
   * request that has not come whole is not under way.
   */
  async end({ answers, taking }: EndingMs): Promise<void> {
    this.#isEnding = true;
    const open = [...this.#exchanges];
    for (const { request } of open) if (!request.complete) this.#cut(request);
    await within(answers, Promise.all(open.map(({ answered }) => answered)));
    await within(taking, Promise.all(open.map(({ taken }) => taken)));
    for (const socket of this.#connections) socket.destroy();
  }

  /** Cuts a request's connection off, unless it waits for the answer to an earlier one. */
  #cut({ socket }: IncomingMessage): void {
    const isWaiting = [...this.#exchanges].some(
      ({ request }) => request.complete && request.socket === socket,
    );
    if (!isWaiting) socket.destroy();
  }
}
