import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { exchange } from "../../../../ops/wallet/http-exchange.ts";
import { readWire } from "../../../../ops/wallet/wire.ts";
import { startSockets } from "../../../support/pass-server.ts";

/** A server that answers whatever it is sent with these bytes; it keeps the connection unless it is told to close it. */
const startServer = async (bytes: string, closes: boolean) =>
  new URL("/passes/p", await startSockets((socket) => (closes ? socket.end(bytes) : socket.write(bytes))));

const whole = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
const switching = "HTTP/1.1 101 Switching Protocols\r\n";
const toProtocol = `${switching}Upgrade: x\r\nConnection: upgrade\r\n\r\n`;
const earlyHints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";

describe("a request is settled, whatever the server does:", () => {
  test.each([
    ["a switch to another protocol", toProtocol, false, /^101 Switching/],
    ["a switch, and a connection that is closed", toProtocol, true, /^101 Switching/],
    ["a switch that names no protocol", `${switching}\r\n`, false, /^101 Switching/],
    ["a switch, and an answer behind it", `${toProtocol}${whole}`, false, /^101 Switching/],
    ["a switch after early hints", `${earlyHints}${toProtocol}`, false, /^101 Switching/],
    ["early hints and no answer", earlyHints, true, /./],
    ["nothing at all", "", true, /./],
    ["half a header", "HTTP/1.1 200 OK\r\netag: ", true, /./],
    ["half a body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}", true, /./],
    ["something that is not HTTP", "SSH-2.0-x\r\n", false, /./],
    ["early hints, and silence", earlyHints, false, /^silent for/],
    ["half a body, and silence", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}", false, /^silent for/],
  ])("%s is not an answer", async (_, bytes, closes, message) => {
    const url = await startServer(bytes, closes);
    const limits = { timeoutMs: message.source === "^silent for" ? 50 : 10_000 };
    await expect(exchange(url, {}, {}, limits)).rejects.toMatchObject({
      name: "NoAnswer",
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["a whole answer", whole],
    ["a whole answer after early hints", `${earlyHints}${whole}`],
    ["one that would rather speak another protocol", whole.replace("OK\r\n", "OK\r\nUpgrade: h2c\r\n")],
  ])("%s is an answer", async (_, bytes) => {
    const url = await startServer(bytes, false);
    expect(await exchange(url, {}, {})).toMatchObject({ status: 200, body: "{}" });
  });

  test("an answer is dated by the arrival of its header, however long its body takes", async () => {
    let now = 1;
    let connected: Socket | undefined;
    const address = await startSockets((socket) => {
      connected = socket;
      socket.write(whole.slice(0, -2));
    });
    const clock = () => {
      // The client has the header; the body comes an hour later.
      queueMicrotask(() => {
        now += 3_600_000;
        connected?.end("{}");
      });
      return now;
    };
    const answer = await exchange(new URL(address), {}, {}, { clock });
    expect(answer).toMatchObject({ body: "{}", answeredAt: 1 });
    expect(now).toBe(3_600_001);
  });

  test("a switch is a final answer on the wire, and not an interim one", async () => {
    const url = await startServer(toProtocol, true);
    expect(await readWire(url, [{}, {}], {})).toEqual({ status: 101, strayBytes: 0 });
  });
});
