import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveLog } from "../../../../local/page/live-log.ts";
import type { LogEvent } from "../../../../local/page/page-questions.ts";

const eventOf = (requestId: string): LogEvent => ({
  requestId,
  at: 1_795_554_000_000,
  method: "GET",
  target: "/",
  endpoint: null,
  status: 404,
  tookMs: 1,
  hints: [],
  fault: null,
  error: null,
});

/** A listener that reads everything, or nothing after `reads` bytes. */
class Listener extends EventEmitter {
  text = "";
  writableLength = 0;
  isDestroyed = false;
  hasEnded = false;
  readonly #reads: boolean;

  constructor(reads = true) {
    super();
    this.#reads = reads;
  }

  writeHead(): void {}

  write(text: string): void {
    if (this.#reads) this.text += text;
    else this.writableLength += text.length;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit("close");
  }

  end(): void {
    this.hasEnded = true;
    this.emit("close");
  }

  get heard(): string[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data).requestId);
  }

  get lastId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }
}

const listen = (log: LiveLog, listener: Listener, lastId?: string): Listener => {
  log.listen(listener as unknown as ServerResponse, lastId);
  return listener;
};

let log: LiveLog;
beforeEach(() => {
  vi.useFakeTimers();
  log = new LiveLog("start");
});
afterEach(() => {
  log.close();
  vi.useRealTimers();
});

test("a listener gets the requests before it and after it, in their order", () => {
  log.tell(eventOf("a"));
  const listener = listen(log, new Listener());
  log.tell(eventOf("b"));
  expect(listener.heard).toEqual(["a", "b"]);
});

test("a listener gets the last 200 requests before it, and no more", () => {
  for (let at = 0; at < 201; at += 1) log.tell(eventOf(`${at}`));
  expect(listen(log, new Listener()).heard).toEqual(Array.from({ length: 200 }, (_, at) => `${at + 1}`));
});

test("a listener that comes back gets what it has missed, and nothing twice", () => {
  const first = listen(log, new Listener());
  log.tell(eventOf("a"));
  first.destroy();
  log.tell(eventOf("b"));
  expect(listen(log, new Listener(), first.lastId).heard).toEqual(["b"]);
});

test.each(["earlier-1", "start-x", "start", ""])(
  "one that comes back with the id %j gets everything",
  (id) => {
    log.tell(eventOf("a"));
    expect(listen(log, new Listener(), id).heard).toEqual(["a"]);
  },
);

describe("a listener that does not read", () => {
  const MEBIBYTE = 1_048_576;

  test("is dropped once more than a mebibyte is unread, and others go on", () => {
    const [slow, quick] = [listen(log, new Listener(false)), listen(log, new Listener())];
    slow.writableLength = MEBIBYTE;
    log.tell(eventOf("a"));
    expect([slow.isDestroyed, quick.isDestroyed, log.size]).toEqual([true, false, 1]);
    expect(quick.heard).toEqual(["a"]);
  });

  test("stays as long as less is unread", () => {
    const slow = listen(log, new Listener(false));
    slow.writableLength = MEBIBYTE - 1_000;
    log.tell(eventOf("a"));
    expect([slow.isDestroyed, log.size]).toEqual([false, 1]);
  });
});

test("a quiet stream is kept alive every 15 seconds", () => {
  const listener = listen(log, new Listener());
  const { length } = listener.text;
  vi.advanceTimersByTime(14_999);
  expect(listener.text).toHaveLength(length);
  vi.advanceTimersByTime(1);
  expect(listener.text.slice(length)).toMatch(/^:.*\n\n$/);
});

test("the end of the log ends every stream", () => {
  const listener = listen(log, new Listener());
  log.close();
  expect([listener.hasEnded, log.size]).toEqual([true, 0]);
});
