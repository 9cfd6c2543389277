import { describe, expect, it } from "vitest";
import { Turnstile } from "../../../../local/gateway/turnstile.ts";

/** Work that ends when the test says so. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

/** Lets everything that can go on now go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a turnstile", () => {
  it("lets requests through, and hands on their results and errors", async () => {
    const turnstile = new Turnstile();
    expect(await turnstile.pass(async () => 7)).toBe(7);
    await expect(turnstile.pass(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("holds new requests back until the work is done, also when it fails", async () => {
    for (const end of ["resolve", "reject"] as const) {
      const turnstile = new Turnstile();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const holding = turnstile.hold(() => promise).catch(() => {});
      let passed = false;
      const request = turnstile.pass(async () => {
        passed = true;
      });
      await settle();
      expect(passed).toBe(false);
      if (end === "resolve") resolve();
      else reject(new Error("broken"));
      await holding;
      await request;
      expect(passed).toBe(true);
    }
  });

  it("waits for the requests inside before the work begins", async () => {
    const turnstile = new Turnstile();
    const [one, two] = [openWork(), openWork()];
    const inside = [turnstile.pass(one.work), turnstile.pass(two.work)];
    let hasBegun = false;
    const holding = turnstile.hold(async () => {
      hasBegun = true;
    }, 60_000);
    one.end();
    await settle();
    expect(hasBegun).toBe(false);
    two.end();
    await Promise.all([holding, ...inside]);
    expect(hasBegun).toBe(true);
  });

  it("lets one caller hold at a time, the next ones after it, and requests after all", async () => {
    const turnstile = new Turnstile();
    const [first, next] = [openWork(), openWork()];
    const done: string[] = [];
    const calls = [
      turnstile.hold(() => first.work().then(() => done.push("first"))),
      turnstile.hold(() => next.work().then(() => done.push("next"))),
      turnstile.hold(async () => done.push("last")),
      turnstile.pass(async () => done.push("request")),
    ];
    await settle();
    expect(done).toEqual([]);
    first.end();
    await settle();
    expect(done).toEqual(["first"]);
    next.end();
    await Promise.all(calls);
    expect(done).toEqual(["first", "next", "last", "request"]);
  });

  it("does not wait longer than it may, and lets a request inside end later", async () => {
    const turnstile = new Turnstile();
    const slow = openWork();
    const inside = turnstile.pass(slow.work);
    expect(await turnstile.hold(async () => "done", 1)).toBe("done");
    slow.end();
    await inside;
  });
});
