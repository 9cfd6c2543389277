import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { occasionOf, watchServer } from "../../../../ops/check-pass/watch.ts";
import { sinceText } from "../../../../ops/checks/report.ts";
import type { Finding, Verdict } from "../../../../ops/checks/rule.ts";
import { walletFor } from "../../../support/pass-server.ts";

describe("a watched server is checked", () => {
  /** Watches with checks that end with these codes; the operator ends the last check, or the wait after it. */
  async function watch(codes: readonly number[], endsIn: "check" | "wait") {
    const stop = new AbortController();
    const left = [...codes];
    let occasions = 0;
    const check = async () => {
      const [code = 0] = left.splice(0, 1);
      if (endsIn === "check" && left.length === 0) stop.abort();
      return code;
    };
    const nextOccasion = async () => {
      if (left.length === 0) stop.abort();
      stop.signal.throwIfAborted();
      occasions += 1;
    };
    return [await watchServer({ check, nextOccasion }, stop.signal), occasions];
  }

  test("again for each occasion, until the operator ends it; the last whole check decides the exit code", async () => {
    expect(await watch([0, 2, 1], "wait")).toEqual([1, 2]);
  });

  test("and a check that the operator breaks off does not count", async () => {
    expect(await watch([0, 1], "check")).toEqual([0, 1]);
    expect(await watch([0], "check")).toEqual([undefined, 0]);
  });

  test("and an error that is not the operator's wish ends the watch", async () => {
    const nextOccasion = () => Promise.reject(new Error("a fault of ours"));
    const watching = watchServer({ check: async () => 0, nextOccasion }, new AbortController().signal);
    await expect(watching).rejects.toThrow("a fault of ours");
  });
});

describe("an occasion to check again is", () => {
  /** A server whose answers a test changes. */
  async function start(answer = { status: 200, body: "{}" }, port = 0) {
    const asked = { count: 0 };
    const server = createServer((_, response) => {
      asked.count += 1;
      const headers = { "x-count": String(asked.count), "retry-after": "1", connection: "close" };
      response.writeHead(answer.status, headers).end(answer.body);
    });
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    };
    onTestFinished(close);
    await once(server.listen(port, "127.0.0.1"), "listening");
    return { server, asked, close, port: (server.address() as AddressInfo).port };
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

  test.each([
    [
      "a server that comes up, though it is there before the first look",
      { wasDown: true },
      "the server started again",
    ],
    ["an answer that changed before the first look", { known: "404" }, "the server answers differently"],
  ])("%s", async (_, how, occasion) => {
    const { port } = await start();
    expect(await watch(port, how).occasion).toBe(occasion);
  });

  test("a server that goes away and comes back", async () => {
    const { server, asked, close, port } = await start();
    const { occasion, looks } = watch(port);
    while (asked.count === 0) await once(server, "request");
    await close();
    // A look that began before may still end well; the one after it finds nobody.
    for (let look = 0; look < 3; look++) await once(looks, "100");
    await start(undefined, port);
    expect(await occasion).toBe("the server started again");
  });

  test("another status or body, but not a busy server, nor a header that changes each time", async () => {
    const answer = { status: 200, body: "{}" };
    const { server, asked, port } = await start(answer);
    const { occasion } = watch(port);
    for (const [count, status] of [
      [1, 503],
      [2, 200],
    ] as const) {
      while (asked.count < count) await once(server, "request");
      answer.status = status;
    }
    while (asked.count < 3) await once(server, "request");
    answer.body = '{"version":2}';
    expect(await occasion).toBe("the server answers differently");
    expect(asked.count).toBeGreaterThan(3);
  });

  test("Enter, and not the end of a pipe", async () => {
    const { port } = await start();
    const input = new PassThrough();
    for (let times = 0; times < 2; times++) {
      const pressed = watch(port, { input });
      input.write("\n");
      expect(await pressed.occasion).toBe("Enter was pressed");
    }
    const ended = watch(port);
    ended.input.end();
    await once(ended.input.resume(), "end");
    ended.stop.abort();
    await expect(ended.occasion).rejects.toThrow("aborted");
  });
});

test("what was mended and what broke is told by the ids of rules", () => {
  const rest = { level: "contract", rule: "", expected: "", seen: "", why: "" } as const;
  const findings = (...verdicts: readonly Verdict[]): Finding[] =>
    verdicts.map((verdict, at) => ({ ...rest, id: "abcdefg"[at] ?? "", verdict }));
  const before = findings("fail", "pass", "fail", "fail", "warn", "pass", "fail");
  const after = findings("pass", "fail", "fail", "not checked", "pass", "warn", "warn");
  expect(sinceText(before, after)).toBe("Since the last check: mended a, e; broken b, f.");
  expect(sinceText(before, before)).toBe("Since the last check: no difference.");
});
