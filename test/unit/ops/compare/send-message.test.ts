import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Seen, sendMessage } from "../../../../ops/compare/send-message.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";

const never = new AbortController().signal;

/** Sends a request to a server that treats each connection in some way. */
async function sendTo(treat: (socket: Socket) => void, timeoutMs = 10_000): Promise<Seen> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => treat(socket));
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${port}`);
  return await sendMessage({ url, tls: {} }, { target: "/" }, { timeoutMs, signal: never });
}

describe("a message is answered", () => {
  test("as soon as the answer is whole, though the server keeps the connection", async () => {
    const seen = await sendTo(
      (socket) => void socket.write("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nab"),
    );
    expect(seen).toMatchObject({ kind: "answer", status: 404 });
  });

  test.each([
    ["is closed", (socket: Socket) => void socket.end(), "the connection was ended without an answer"],
    [
      "is reset",
      (socket: Socket) => void socket.resetAndDestroy(),
      "the connection was ended without an answer",
    ],
    [
      "ends within an answer",
      (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
      "bytes that are not a whole answer",
    ],
    [
      "ends within a body",
      (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na"),
      "bytes that are not a whole answer",
    ],
    [
      "carries something else",
      (socket: Socket) => void socket.end("SSH-2.0-x\r\n"),
      "bytes that are not a whole answer",
    ],
  ])("by nothing when the connection %s", async (_, treat, why) => {
    expect(await sendTo(treat)).toEqual({ kind: "none", why, isUnreached: false });
  });

  test("by nothing when the server is silent", async () => {
    const why = "silent for 0.05 s";
    expect(await sendTo(() => {}, 50)).toEqual({ kind: "none", why, isUnreached: false });
  });

  test("by nothing at an address where nobody listens", async () => {
    const server = createServer();
    const url = new URL(`http://127.0.0.1:${await listenOnLoopback(server)}`);
    await once(server.close(), "close");
    const seen = await sendMessage({ url, tls: {} }, { target: "/" }, { timeoutMs: 10_000, signal: never });
    expect(seen).toEqual({ kind: "none", why: "no connection (ECONNREFUSED)", isUnreached: true });
  });
});
