import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { type Met, sendSteadily } from "../../../../bench/soak/send-steadily.ts";
import { listenOnLoopback } from "../../../support/listen-on-loopback.ts";

/** Serves on a free port what `answer` does. */
async function serve(answer: Parameters<typeof createServer>[1]) {
  const server = createServer({}, answer);
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url, [Symbol.asyncDispose]: stop };
}

describe("a steady load", () => {
  it("goes on at its rate while the service answers nothing, and counts the wait of each request", async () => {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const waiting: (() => void)[] = [];
    await using server = await serve((_, response) => {
      waiting.push(() => response.end("{}"));
      if (waiting.length === 20) resolve();
    });
    const [stop, met] = [new AbortController(), [] as Met[]];
    const next = () => ({ endpoint: "get-pass", url: server.url, headers: {} });
    const sending = sendSteadily({ next, perSecond: 100 }, (one) => met.push(one), stop.signal);
    await enough;
    expect(met).toEqual([]);
    stop.abort();
    for (const answer of waiting) answer();
    await sending;
    expect(met.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...met.map(({ tookMs }) => tookMs))).toBeGreaterThan(150);
  });

  it("counts a connection that breaks off as a failure, and goes on", async () => {
    const stop = new AbortController();
    await using server = await serve((request) => void request.socket.destroy());
    const met: Met[] = [];
    const next = () => ({ endpoint: "get-pass", url: server.url, headers: {} });
    await sendSteadily(
      { next, perSecond: 200 },
      (one) => {
        met.push(one);
        if (met.length === 5) stop.abort();
      },
      stop.signal,
    );
    expect(new Set(met.map(({ status }) => status))).toEqual(new Set([0]));
  });
});
