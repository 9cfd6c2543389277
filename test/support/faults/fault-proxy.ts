import { once } from "node:events";
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/** An answer of the server behind the proxy. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request that meets a fault. */
interface Met {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Has the server behind the proxy do what it is asked, and reads its whole answer. */
  readonly pass: () => Promise<WholeAnswer>;
}

/** A fault: what happens to a request in place of a faithful answer. */
export type Act = (met: Met) => unknown;

/** A request as it came. */
export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy in front of a server, between which and its callers everything can go wrong. */
export interface FaultProxy {
  readonly url: string;
  /** Runs work while a fault is on: for all requests, unless `isMet` chooses some; `gone` while nothing listens. */
  under<Result>(
    fault: Act | "gone",
    work: () => Promise<Result>,
    isMet?: (heard: Heard) => boolean,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** Starts a proxy that passes everything on. Connections are kept on both sides, as a server and its callers do. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let faultOf: (heard: Heard) => Act | undefined = () => undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const { url: path = "", headers } = request;
    const pass = () => passOn(target, request, body);
    const act = faultOf({ path, headers, body });
    if (act === undefined) sendWhole(response, await pass());
    else await act({ socket: request.socket, response, pass });
  };
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
  );
  server.keepAliveTimeout = 0;
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const leave = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    under: async (fault, work, isMet = () => true) => {
      if (fault === "gone") await leave();
      else faultOf = (heard) => (isMet(heard) ? fault : undefined);
      try {
        return await work();
      } finally {
        faultOf = () => undefined;
        if (fault === "gone") await listen(port);
      }
    },
    close: leave,
  };
}

/** Sends an answer as it was given. */
export function sendWhole(response: ServerResponse, { status, headers, body }: WholeAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

async function passOn(
  target: string,
  { url = "", method, headers }: IncomingMessage,
  body: Buffer,
): Promise<WholeAnswer> {
  const onward = forward(`${target}${url}`, { method, headers, agent: false });
  onward.end(body);
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}
