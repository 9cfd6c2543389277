import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { type Occasion, occasionOf, watchServer } from "../../../../ops/check-pass/watch.ts";
import { sinceText } from "../../../../ops/checks/report.ts";
import type { Finding, Verdict } from "../../../../ops/checks/rule.ts";
import { walletFor } from "../../../support/pass-server.ts";

describe("a watched server is checked", () => {
  test("again for each occasion, until the operator ends it; the last whole check decides the exit code", async () => {
    const stop = new AbortController();
    const occasions: Occasion[] = ["the server started again", "Enter was pressed"];
    const codes = [0, 2, 1];
    const announced: Occasion[] = [];
    const code = await watchServer({
      check: async () => codes.shift() ?? 0,
      nextOccasion: async () => {
        const occasion = occasions.shift();
        if (occasion !== undefined) return occasion;
        stop.abort();
        throw new Error("aborted");
      },
      announce: (occasion) => announced.push(occasion),
      signal: stop.signal,
    });
    expect(code).toBe(1);
    expect(announced).toEqual(["the server started again", "Enter was pressed"]);
  });

  test("and a check that the operator breaks off does not count", async () => {
    const stop = new AbortController();
    let checks = 0;
    const code = await watchServer({
      check: async () => {
        checks += 1;
        if (checks === 2) stop.abort();
        return checks === 1 ? 0 : 1;
      },
      nextOccasion: async () => "Enter was pressed",
      announce: () => {},
      signal: stop.signal,
    });
    expect([code, checks]).toEqual([0, 2]);
    const first = new AbortController();
    const none = watchServer({
      check: async () => {
        first.abort();
        return 0;
      },
      nextOccasion: async () => "Enter was pressed",
      announce: () => {},
      signal: first.signal,
    });
    expect(await none).toBeUndefined();
  });

  test("and an error that is not the operator's wish ends the watch", async () => {
    const watching = watchServer({
      check: async () => 0,
      nextOccasion: async () => {
        throw new Error("a fault of ours");
      },
      announce: () => {},
      signal: new AbortController().signal,
    });
    await expect(watching).rejects.toThrow("a fault of ours");
  });
});

describe("an occasion to check again is", () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    }
  });

  /** A server whose answers a test changes. */
  async function start(answer: { status: number; body: string }, port = 0) {
    const asked = { count: 0 };
    const server = createServer((_, response) => {
      asked.count += 1;
      const headers = { "x-count": String(asked.count), "retry-after": "1", connection: "close" };
      response.writeHead(answer.status, headers).end(answer.body);
    });
    servers.push(server);
    await once(server.listen(port, "127.0.0.1"), "listening");
    return { server, asked, port: (server.address() as AddressInfo).port };
  }

  function watch(port: number, { wasDown = false, known = "", input = new PassThrough() } = {}) {
    const stop = new AbortController();
    const looks = new EventEmitter();
    const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      looks.emit(String(ms));
    };
    const wallet = walletFor(`http://127.0.0.1:${port}`);
    const keyboard = input as unknown as NodeJS.ReadStream;
    const parts = { wallet, reference: "demo-1", input: keyboard, wasDown, pause, known: known || undefined };
    const occasion = occasionOf(parts, stop.signal);
    occasion.catch(() => {});
    return { occasion, input, stop, looks };
  }

  test("a server that comes up, though it is there before the first look", async () => {
    const { port } = await start({ status: 200, body: "{}" });
    expect(await watch(port, { wasDown: true }).occasion).toBe("the server started again");
  });

  test("a server that goes away and comes back", async () => {
    const { server, asked, port } = await start({ status: 200, body: "{}" });
    const { occasion, looks } = watch(port);
    while (asked.count === 0) await once(server, "request");
    server.closeAllConnections();
    await once(server.close(), "close");
    // A look that began before may still end well; the one after it finds nobody.
    for (let look = 0; look < 3; look++) await once(looks, "100");
    await start({ status: 200, body: "{}" }, port);
    expect(await occasion).toBe("the server started again");
  });

  test("another status or body, but not a busy server, nor a header that changes each time", async () => {
    const answer = { status: 200, body: "{}" };
    const { server, asked, port } = await start(answer);
    const { occasion } = watch(port);
    while (asked.count < 1) await once(server, "request");
    answer.status = 503;
    while (asked.count < 2) await once(server, "request");
    answer.status = 200;
    while (asked.count < 3) await once(server, "request");
    answer.body = '{"version":2}';
    expect(await occasion).toBe("the server answers differently");
    expect(asked.count).toBeGreaterThan(3);
  });

  test("an answer that changed before the first look", async () => {
    const { port } = await start({ status: 200, body: "{}" });
    expect(await watch(port, { known: "404" }).occasion).toBe("the server answers differently");
  });

  test("Enter, and not the end of a pipe", async () => {
    const { port } = await start({ status: 200, body: "{}" });
    const pressed = watch(port);
    pressed.input.write("\n");
    expect(await pressed.occasion).toBe("Enter was pressed");
    const again = watch(port, { input: pressed.input });
    again.input.write("\n");
    expect(await again.occasion).toBe("Enter was pressed");
    const ended = watch(port);
    ended.input.end();
    await once(ended.input.resume(), "end");
    ended.stop.abort();
    await expect(ended.occasion).rejects.toThrow("aborted");
  });
});

test("what was mended and what broke is told by the ids of rules", () => {
  const findings = (verdicts: Readonly<Record<string, Verdict>>): Finding[] =>
    Object.entries(verdicts).map(([id, verdict]) => ({
      id,
      level: "contract",
      verdict,
      rule: id,
      expected: "",
      seen: "",
      why: "",
    }));
  const before = findings({ a: "fail", b: "pass", c: "fail", d: "fail", e: "warn", f: "pass", g: "fail" });
  const after = findings({
    a: "pass",
    b: "fail",
    c: "fail",
    d: "not checked",
    e: "pass",
    f: "warn",
    g: "warn",
  });
  expect(sinceText(before, after)).toBe("Since the last check: mended a, e; broken b, f.");
  expect(sinceText(before, before)).toBe("Since the last check: no difference.");
});
