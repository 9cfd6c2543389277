import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { createGateway } from "../../local/gateway/gateway.ts";
import { sendRaw, startTestGateway, type TestGateway } from "../support/local-gateway.ts";
import { startRendezvous } from "../support/rendezvous.ts";
import {
  mutualTlsPair,
  stubbornClients as open,
  type StubbornTarget,
  stubbornHandshakes,
  untilGone,
  untilSeen,
} from "../support/stubborn-clients.ts";

const LARGE_BYTES = 6_000_000;
const code = `
export const small = async () => ({ statusCode: 200, body: "small" });
export const large = async () => ({ statusCode: 200, body: "x".repeat(${LARGE_BYTES}) });
export const hang = async () => { console.log("hangs"); return new Promise(() => {}); };
export const meet = async (event) => { await fetch(event.queryStringParameters.at); return { statusCode: 200, body: "met" }; };`;

const endpoints = {
  small: { routeKey: "GET /small" },
  upload: { routeKey: "POST /upload", function: { Handler: "index.small" } },
  large: { routeKey: "GET /large" },
  hang: { routeKey: "GET /hang", function: { Timeout: 60 } },
  meet: { routeKey: "GET /meet" },
};
/** So long that a test which waits for it hangs. */
const NEVER = 600_000;

let gateway: TestGateway | undefined;
const pair = await mutualTlsPair();
afterEach(() => gateway?.close());

async function start(port: "plain" | "TLS", { answers = NEVER, taking = 50 } = {}): Promise<TestGateway> {
  const endingMs = { answers, taking };
  gateway = await startTestGateway({
    endpoints,
    code,
    endingMs,
    isLazy: true,
    ...(port === "TLS" && { tls: pair.server }),
  });
  return gateway;
}
const targetOf = ({ port }: TestGateway, kind: "plain" | "TLS"): StubbornTarget => ({
  port,
  path: "/small",
  largePath: "/large",
  uploadPath: "/upload",
  ...(kind === "TLS" && { tls: pair.client }),
});

/** Closes the gateway that a test has started, once. */
async function close(): Promise<void> {
  const closing = gateway?.close();
  gateway = undefined;
  await closing;
}

describe("a gateway that is closed cuts off, on its port", () => {
  it.each([
    ["plain", open],
    ["TLS", { ...open, ...stubbornHandshakes }],
  ] as const)("(%s) every client that makes it wait", async (kind, clients) => {
    const target = targetOf(await start(kind), kind);
    const sockets = new Map<string, Socket>();
    for (const [name, client] of Object.entries(clients)) sockets.set(name, await client(target));
    await untilSeen(target);
    await close();
    const left = new Set(sockets.keys());
    for (const [name, socket] of sockets) void untilGone(socket).then(() => left.delete(name));
    await expect.poll(() => [...left], { timeout: 50_000 }).toEqual([]);
  });

  it("(plain) a client whose answer takes longer than it has", async () => {
    const started = await start("plain", { answers: 50 });
    const answer = sendRaw(started.port, "GET /hang HTTP/1.1\r\nHost: h\r\n\r\n").catch(() => "cut");
    await started.logged("hangs");
    await close();
    expect(["", "cut"]).toContain(await answer);
  });
});

it("a gateway that does not listen, or could not, is closed all the same", async () => {
  const { port } = await start("plain");
  const application = { routes: [], functions: [], tables: [], cors: undefined };
  const parts = { application, pools: new Map(), basePath: "", clock: systemClock, log: () => {} };
  const silent = createGateway(parts);
  await silent.close();
  const late = createGateway(parts, pair.server);
  await expect(late.listen(port, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
  await late.close();
});

it.each(["plain", "TLS"] as const)(
  "(%s) a request that becomes whole while answers are finished is not run, and they are",
  async (kind) => {
    const rendezvous = await startRendezvous();
    const at = `/meet?at=${encodeURIComponent(rendezvous.url)}`;
    const target = targetOf(await start(kind), kind);
    const early = await open["has sent half a request line"](target);
    const first = await open["has sent nothing"](target);
    first.write(`GET ${at} HTTP/1.1\r\nHost: h\r\n\r\n`);
    await rendezvous.arrived(1);
    const closing = close();
    early.write(`${at.slice(1)} HTTP/1.1\r\nHost: h\r\n\r\n`);
    expect(await untilGone(early)).toBe("");
    rendezvous.open();
    expect(await untilGone(first)).toMatch(
      /^HTTP\/1\.1 200 (?:.*\r\n)*connection: close\r\n(?:.*\r\n)*\r\nmet$/i,
    );
    await closing;
    await rendezvous.close();
  },
);

it.each(["plain", "TLS"] as const)(
  "(%s) an answer that its client is still reading comes whole",
  async (kind) => {
    const target = targetOf(await start(kind, { taking: NEVER }), kind);
    const socket = await open["does not read its answers"](target);
    await untilSeen(target);
    const closing = close();
    const text = await untilGone(socket);
    const answers = text.split("HTTP/1.1 200 ").slice(1);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer.split("\r\n\r\n")[1]?.length).toBe(LARGE_BYTES);
    await closing;
  },
);
