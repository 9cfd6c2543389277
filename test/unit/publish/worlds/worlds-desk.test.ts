import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { listenOn } from "../../../../local/http/server.ts";
import type { OpenWorld } from "../../../../publish/embed/world.ts";
import { createWorldsDesk } from "../../../../publish/worlds/worlds-desk.ts";

const opening = () => Promise.withResolvers<{ readonly id: string; readonly world: OpenWorld }>();

let desk: ReturnType<typeof createWorldsDesk>;
let opened: ReturnType<typeof opening>;
let asked: PromiseWithResolvers<void>;
let ended: PromiseWithResolvers<string>;
let worlds: Map<string, OpenWorld>;
let logged: string[];
beforeEach(() => {
  opened = opening();
  asked = Promise.withResolvers<void>();
  ended = Promise.withResolvers<string>();
  worlds = new Map();
  logged = [];
  const keeper = {
    open: () => {
      asked.resolve();
      return opened.promise;
    },
    find: (id: string) => (worlds.has(id) ? Promise.resolve(worlds.get(id) as OpenWorld) : undefined),
    end: async (id: string) => {
      worlds.delete(id);
      ended.resolve(id);
    },
    counts: { worlds: 0, most: 9 },
  };
  const placeFor = () => ({}) as never;
  const log = (line: string) => void logged.push(line);
  desk = createWorldsDesk({ keeper, isOwnHost: () => true, placeFor, log });
});

async function serve() {
  const server = createServer(desk);
  const { port, close } = await listenOn(server);
  onTestFinished(close);
  return { server, port };
}

test("what a world was doing when it was ended says that it was ended, and is no fault", async () => {
  const { port } = await serve();
  const { promise, reject } = Promise.withResolvers<string>();
  const minting = Promise.withResolvers<void>();
  const mintToken = () => {
    minting.resolve();
    return promise;
  };
  const inTurn = (work: () => unknown) => work();
  worlds.set("w", { inTurn, issuer: { mintToken }, credentials: { business: { id: "b" } } } as never);
  const control = `http://127.0.0.1:${port}/worlds/w`;
  const token = fetch(`${control}/token`, { method: "POST" });
  await minting.promise;
  expect((await fetch(control, { method: "DELETE" })).status).toBe(200);
  reject(new Error("the store is gone"));
  expect([(await token).status, await (await token).text(), logged]).toEqual([
    404,
    expect.stringContaining("it was ended"),
    [],
  ]);
});

test("a fault is told in the log with its stack, and to its caller without", async () => {
  const { port } = await serve();
  worlds.set("w", { inTurn: () => Promise.reject(new TypeError("broken")) } as never);
  const answer = await fetch(`http://127.0.0.1:${port}/worlds/w/reset`, { method: "POST" });
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining(" at ")]);
  expect(logged).toEqual([expect.stringMatching(/^TypeError: broken\n +at /)]);
});

test("a world whose maker went away before the answer ends at once", async () => {
  const { server, port } = await serve();
  const connected = once(server, "connection");
  const client = request({ port, method: "POST", path: "/worlds" }).on("error", () => {});
  client.end();
  const [socket] = await connected;
  await asked.promise;
  const closed = once(socket, "close");
  client.destroy();
  await closed;
  opened.resolve({ id: "w", world: { clockShift: { clock: () => 0 } } as never });
  expect(await ended.promise).toBe("w");
});

test.each(["", "Host: :3000\r\n"])("a request that names no host gets no world, with %j", async (host) => {
  const { port } = await serve();
  const socket = connect(port, "127.0.0.1");
  socket.write(`POST /worlds HTTP/1.0\r\n${host}Content-Length: 0\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ["/worlds/w/import/trades", 10_485_761, 413],
  ["/worlds/w/import/trades/BTC-USD", 0, 404],
  ["/worlds/w/token/mine", 0, 404],
  ["/", 0, 404],
  ["/other", 0, 404],
])("%s with %d bytes is answered by %d before anything is done", async (path, bytes, status) => {
  const { port } = await serve();
  worlds.set("w", {} as never);
  const url = `http://127.0.0.1:${port}${path}`;
  expect((await fetch(url, { method: "POST", body: "x".repeat(bytes) })).status).toBe(status);
});
