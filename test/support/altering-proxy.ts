import { connect, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** The changes that a proxy makes to what passes through it, as text in which each character is one byte. */
export interface Alterations {
  readonly request?: (text: string) => string;
  readonly answer?: (text: string, request: string) => string;
}

/** A proxy in front of a server, for clients that send one request on each connection and read it to its end. */
export async function startAlteringProxy(
  target: string,
  { request = (text) => text, answer = (text) => text }: Alterations,
) {
  const { port, hostname } = new URL(target);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => void pass(socket, bytes));
  });
  const pass = async (socket: Socket, bytes: Buffer): Promise<void> => {
    const sent = request(bytes.toString("latin1"));
    const upstream = connect(Number(port), hostname);
    upstream.write(sent, "latin1");
    const given = await buffer(upstream);
    socket.end(answer(given.toString("latin1"), sent), "latin1");
  };
  const ownPort = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${ownPort}${new URL(target).pathname}`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
