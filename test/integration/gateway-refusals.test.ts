import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw, startTestGateway, type TestGateway } from "../support/local-gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    endpoints: {
      host: { routeKey: "GET /host", function: { Handler: "index.host" } },
      upload: { routeKey: "POST /upload", function: { Handler: "index.upload" } },
    },
    code: `
export const host = async (event) => ({ statusCode: 200, body: event.headers.host ?? "none" });
export const upload = async (event) => { console.log("ran"); return { statusCode: 200, body: event.body ?? "" }; };`,
    patienceMs: { header: 60, request: 120, look: 10 },
  });
});
afterAll(() => gateway.close());

const send = (...lines: string[]) => sendRaw(gateway.port, lines.join("\r\n"));

/** The parts of an answer of the gateway's own, and whether it is in its form. */
const seen = (answer: string) => ({
  status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]),
  isWhole:
    /^content-type: application\/json\r\n/im.test(answer) && /^apigw-requestid: \S{16}\r\n/im.test(answer),
  length: Number(/^content-length: (\d+)\r\n/im.exec(answer)?.[1]),
  body: answer.split("\r\n\r\n")[1],
});
const own = (status: number, message: string) => {
  const body = JSON.stringify({ message });
  return { status, isWhole: true, length: body.length, body };
};

describe("what the gateway refuses by itself has a body in its own form:", () => {
  it.each([
    ["no Host line", ["GET /host HTTP/1.1", "Connection: close"]],
    ["two Host lines", ["GET /host HTTP/1.1", "Host: a.example", "Host: b.example", "Connection: close"]],
    ["a Host with a path", ["GET /host HTTP/1.1", "Host: a.example/b", "Connection: close"]],
    ["no HTTP at all", ["NONSENSE"]],
    ["a tunnel", ["CONNECT a.example:443 HTTP/1.1", "Host: a.example:443"]],
    ["two lengths", ["POST /upload HTTP/1.1", "Host: h", "Content-Length: 1", "Content-Length: 2"]],
  ])("%s is a 400", async (_, lines) => {
    expect(seen(await send(...lines, "", ""))).toEqual(own(400, "Bad Request"));
  });

  it.each(["a.example:8080", ""])("one Host line with %j is none of that", async (host) => {
    const answer = await send("GET /host HTTP/1.1", `Host: ${host}`, "Connection: close", "", "");
    expect([seen(answer).status, answer.split("\r\n\r\n")[1]]).toEqual([200, host]);
  });

  it("nor is HTTP/1.0 without one", async () => {
    expect(seen(await send("GET /host HTTP/1.0", "", "")).status).toBe(200);
  });

  it("an expectation that nobody meets is a 417", async () => {
    const lines = ["GET /host HTTP/1.1", "Host: h", "Expect: the-unexpected", "Connection: close"];
    expect(seen(await send(...lines, "", ""))).toEqual(own(417, "Expectation Failed"));
  });

  it.each([
    ["a header that never ends", "GET /host HTTP/1.1\r\nHost: h\r\nX-Part"],
    ["a connection that never begins", ""],
    ["a body that never ends", "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"],
    [
      "a body whose chunks never end",
      "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
  ])("%s is a 408, after which the connection is closed", async (_, text) => {
    expect(seen(await sendRaw(gateway.port, text))).toEqual(own(408, "Request Timeout"));
    expect(gateway.lines).not.toContain("upload: ran");
  });
});

describe("a request that breaks off", () => {
  const breakOff = async (text: string, end: (socket: Socket) => void): Promise<void> => {
    const socket = connect(gateway.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(text, () => end(socket));
    socket.resume();
    await once(socket, "close");
  };

  it.each([
    ["by its end", "Content-Length: 9\r\n\r\nabc", (socket: Socket) => socket.end()],
    ["by a reset", "Content-Length: 9\r\n\r\nabc", (socket: Socket) => socket.resetAndDestroy()],
    ["between chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", (socket: Socket) => socket.end()],
    ["before its first byte", "Content-Length: 9\r\n\r\n", (socket: Socket) => socket.destroy()],
  ])("%s is not run, and the next one is", async (_, rest, end) => {
    const runs = (): number => gateway.lines.filter((line) => line === "upload: ran").length;
    const before = runs();
    await breakOff(`POST /upload HTTP/1.1\r\nHost: h\r\n${rest}`, end);
    const whole = ["POST /upload HTTP/1.1", "Host: h", "Content-Length: 3", "Connection: close"];
    expect(await send(...whole, "", "abc")).toMatch(/\r\n\r\nabc$/);
    expect(runs()).toBe(before + 1);
  });
});
