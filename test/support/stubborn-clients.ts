import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectSecurely } from "node:tls";
import { systemClock } from "../../lib/clock.ts";
import { createAuthority, issueCertificate } from "../../local/identity/certificates.ts";

/** A server, and the paths that clients request from it. */
export interface StubbornTarget {
  readonly port: number;
  /** The client's options for TLS; undefined for plain HTTP. */
  readonly tls?: ConnectionOptions;
  /** The path of something to get. */
  readonly path: string;
  /** The path of something to get, three of which are larger than all buffers between server and client. */
  readonly largePath: string;
  /** The path of something to upload to. */
  readonly uploadPath: string;
}

/** Opens a connection, and resolves when everything that the client will send is on its way. */
export type OpenConnection = (target: StubbornTarget) => Promise<Socket>;

async function connected({ port, tls }: Pick<StubbornTarget, "port" | "tls">): Promise<Socket> {
  const socket = tls ? connectSecurely({ port, host: "127.0.0.1", ...tls }) : connect(port, "127.0.0.1");
  // The tests are about servers that cut the connection.
  socket.on("error", () => {});
  await once(socket, tls ? "secureConnect" : "connect");
  return socket;
}

async function send(socket: Socket, bytes: string | Buffer): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.write(bytes, () => resolve());
  await promise;
  return socket;
}

/** Sends a request, waits for the beginning of the answer, and reads no more of it. */
async function begin(target: StubbornTarget, ...lines: string[]): Promise<Socket> {
  const socket = await send(await connected(target), [...lines, "Host: h", "", ""].join("\r\n"));
  await once(socket, "readable");
  return socket;
}

/** Clients that must not keep a server from ending, over TLS and without. */
export const stubbornClients = {
  "has sent nothing": connected,
  "has sent half a request line": async (target) => send(await connected(target), "GET /"),
  "has sent half a header": async (target) =>
    send(await connected(target), `GET ${target.path} HTTP/1.1\r\nHost: h\r\nX-Pa`),
  "has sent half a body": async (target) => {
    const lines = [`POST ${target.uploadPath} HTTP/1.1`, "Content-Length: 9", "Expect: 100-continue"];
    return send(await begin(target, ...lines), "abc");
  },
  "keeps its connection after an answer": async (target) => {
    const socket = await begin(target, `GET ${target.path} HTTP/1.1`);
    return socket.resume();
  },
  "does not read its answers": (target) => {
    const large = `GET ${target.largePath} HTTP/1.1`;
    return begin(target, large, "Host: h", "", large, "Host: h", "", large);
  },
} satisfies Readonly<Record<string, OpenConnection>>;

/** Clients of a TLS port that do not finish their handshake. */
export const stubbornHandshakes: Readonly<Record<string, OpenConnection>> = {
  "has not begun its handshake": ({ port }) => connected({ port }),
  // The head of a TLS record of 512 bytes, and two of those bytes.
  "has sent half its handshake": async ({ port }) =>
    send(await connected({ port }), Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])),
};

/** Resolves when a connection has ended in any way, with everything that was received until then. */
export async function untilGone(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  if (socket.closed) resolve();
  else socket.once("close", () => resolve());
  await promise;
  return text;
}

/** Resolves when a server has seen everything sent before, which it has once it answers another client. */
export async function untilSeen(target: StubbornTarget): Promise<void> {
  await untilGone(await begin(target, `GET ${target.path} HTTP/1.1`, "Connection: close"));
}

/** The options of a server and a client of one authority for mutual TLS on 127.0.0.1. */
export async function mutualTlsPair() {
  const validity = { notBefore: systemClock() - 3_600_000, notAfter: systemClock() + 3_600_000 };
  const authority = await createAuthority("CN=Authority,O=Example", validity);
  const issue = (use: "client" | "server", addresses: string[]) =>
    issueCertificate(authority, { subject: `CN=${use}`, use, addresses, ...validity });
  const [server, client] = [await issue("server", ["127.0.0.1"]), await issue("client", [])];
  const ca = authority.certificate;
  return {
    server: { cert: server.certificate, key: server.key, ca },
    client: { cert: client.certificate, key: client.key, ca },
  };
}
