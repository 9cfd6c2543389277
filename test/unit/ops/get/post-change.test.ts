import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deliver, messageOf, parseReceiver, readSecret } from "../../../../ops/get/post-change.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

const NOW = 1_795_554_000_500;
const key = Buffer.alloc(32, 7);
const change = { type: "transaction.changed", instant: "2026-11-24T20:00:00Z", data: '{"amount":0.10}' };
const message = messageOf(change, ["acme", "tx-1", change.instant, "completed"]);

/** What the receiver answers, request by request: a status, or a broken connection. */
let answers: { readonly status?: number; readonly headers?: Record<string, string> }[];
let received: {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly body: string;
}[];
const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request);
  received.push({ headers: request.headers, url: request.url, body });
  const { status, headers = {} } = answers.shift() ?? {};
  if (status === undefined) request.socket.destroy();
  else response.writeHead(status, headers).end();
};
const server = createServer((request, response) => void receive(request, response));
const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  received = [];
});

/** Delivers the message; each pause moves the clock. */
async function deliverTo(given: typeof answers, signal = new AbortController().signal) {
  answers = given;
  let nowMs = NOW;
  const [pauses, told]: [number[], string[]] = [[], []];
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms);
    nowMs += ms;
  };
  const clock = (): number => nowMs;
  const delivered = deliver(
    message,
    { url: parseReceiver(`${origin}/hook?a=1`), key },
    { signal, tell: (line) => told.push(line), clock, sleep },
  );
  return { delivered, pauses, told };
}

describe("a delivery", () => {
  test("is signed as Standard Webhooks has it, over the record as it was sent", async () => {
    await (await deliverTo([{ status: 204 }])).delivered;
    const [{ headers, url, body } = { headers: {}, url: "", body: "" }] = received;
    expect([url, body]).toEqual([
      "/hook?a=1",
      '{"type":"transaction.changed","timestamp":"2026-11-24T20:00:00Z","data":{"amount":0.10}}',
    ]);
    const seconds = String(Math.floor(NOW / 1000));
    const signature = createHmac("sha256", key).update(`${message.id}.${seconds}.${body}`).digest("base64");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": message.id,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,${signature}`,
    });
  });

  test("comes again under the same id, ever later and signed anew, until a 2xx", async () => {
    const elsewhere = { status: 302, headers: { Location: `${origin}/elsewhere` } };
    const busy = { status: 503, headers: { "Retry-After": "60" } };
    const { delivered, pauses, told } = await deliverTo([
      { status: 500 },
      {},
      elsewhere,
      busy,
      { status: 200 },
    ]);
    await delivered;
    expect(received.map(({ url }) => url)).toEqual(Array.from({ length: 5 }, () => "/hook?a=1"));
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers["webhook-signature"])).size).toBe(5);
    for (const [at, least] of [1_000, 2_000, 4_000, 60_000].entries())
      expect(pauses[at]).toBeGreaterThanOrEqual(least);
    expect(pauses[2]).toBeLessThan(6_000);
    expect(told).toHaveLength(4);
    expect(told[0]).toMatch(/: 500\. msg_\S{32} is sent again in [12] s\.$/);
  });

  test("waits ten minutes and their half at most", async () => {
    const { delivered, pauses } = await deliverTo([
      ...Array.from({ length: 12 }, () => ({ status: 500 })),
      { status: 503, headers: { "Retry-After": "999999" } },
      { status: 200 },
    ]);
    await delivered;
    expect(pauses.some((ms, at) => ms < 600_000 && ms !== 1_000 * 2 ** at)).toBe(true);
    expect(Math.max(...pauses)).toBeGreaterThanOrEqual(600_000);
    expect(Math.max(...pauses)).toBeLessThan(900_000);
  });

  test("ends where the receiver wants no more, or at Ctrl-C", async () => {
    await expect((await deliverTo([{ status: 410 }])).delivered).rejects.toThrow("it wants no more changes");
    await expect((await deliverTo([{ status: 200 }], AbortSignal.abort())).delivered).rejects.toThrow(
      "abort",
    );
    expect(received).toHaveLength(1);
    const stop = new AbortController();
    const stopping = {
      get status(): number {
        stop.abort();
        return 500;
      },
    };
    const { delivered, told } = await deliverTo([stopping], stop.signal);
    await expect(delivered).rejects.toThrow("abort");
    expect(told).toEqual([]);
  });

  test("has another id for each version and each business", () => {
    const idOf = (...version: string[]): string => messageOf(change, version).id;
    const ids = [
      idOf("acme", "tx-1", "a"),
      idOf("acme", "tx-1", "b"),
      idOf("beta", "tx-1", "a"),
      idOf("acme", "tx-1a", ""),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toMatch(/^msg_[\w-]{32}$/);
  });

  test.each([
    "http://shop.example/hook",
    "ftp://127.0.0.1/",
    "https://me@shop.example/",
    "https://:pass@shop.example/",
    "https://a.example/#b",
    "hook",
  ])("goes to %s by no means", (address) => expect(() => parseReceiver(address)).toThrow(RangeError));
  test.each(["https://shop.example/hook", "http://127.0.0.1:8080/", "http://[::1]/", "http://localhost/"])(
    "goes to %s",
    (address) => expect(parseReceiver(address).href).toBe(address),
  );

  test("is signed with the bytes of a secret, and a wrong secret is not shown", async () => {
    const file = join(scratchDirectory(), "secret.txt");
    const read = async (secret: string): Promise<Buffer> => {
      writeFileSync(file, secret);
      return await readSecret(file);
    };
    expect(await read(`whsec_${key.toString("base64")}\n`)).toEqual(key);
    for (const wrong of [
      "",
      key.toString("base64"),
      `whsec_${Buffer.alloc(23).toString("base64")}`,
      `whsec_${Buffer.alloc(65).toString("base64")}`,
      "whsec_%%%",
    ]) {
      const error = await read(wrong).catch(String);
      expect(error).toContain("must hold whsec_ and 24 to 64 bytes in base64");
      if (wrong !== "") expect(error).not.toContain(wrong);
    }
  });
});
