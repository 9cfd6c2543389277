import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { unavailable } from "../../../lib/errors.ts";
import { exitCodes, OperatorError } from "../../../local/process/operator-error.ts";
import { defineCommand } from "../../../ops/command.ts";
import { runCommand } from "../../../ops/run-command.ts";

const closed: string[] = [];
vi.mock("../../../ops/store/store.ts", () => ({
  explainFault: (error: unknown) => error,
  openStore: async () => ({ close: () => closed.push("store") }),
}));
vi.mock("../../../ops/queue/queue-client.ts", () => ({
  openQueues: async () => ({
    close: () => {
      throw new Error("The queues cannot be closed.");
    },
  }),
}));

/** Those of this process, without the ones that a command keeps after Ctrl-C. */
const listeners = (["SIGINT", "SIGTERM"] as const).map(
  (signal) => [signal, process.listeners(signal)] as const,
);

afterEach(() => {
  for (const [signal, own] of listeners)
    for (const listener of process.listeners(signal))
      if (!own.includes(listener)) process.off(signal, listener);
  process.exitCode = undefined;
});

/** Runs a command whose work is stopped by Ctrl-C, and then does what is given. */
async function runStopped(work: (stop: AbortSignal) => Promise<unknown>): Promise<unknown> {
  vi.spyOn(console, "error").mockReturnValue();
  const command = defineCommand({
    words: "work",
    summary: "work",
    about: "Works.",
    examples: ["ops work"],
    exits: { 0: "done", 2: "not done" },
    on: "nothing",
    stops: "Stopping.",
    json: "It only works.",
    run: async (_, { stoppable }) => {
      await stoppable(async (stop) => {
        process.emit("SIGINT");
        await work(stop);
      });
    },
  });
  await runCommand(command, {});
  return process.exitCode;
}

const fullDisk = new OperatorError("The disk is full.");

test.each<[what: string, work: (stop: AbortSignal) => Promise<unknown>]>([
  ["ends", async () => {}],
  ["throws the signal's reason", async (stop) => stop.throwIfAborted()],
  ["waits with the signal", (signal) => pause(60_000, undefined, { signal })],
  [
    "gives up a store call",
    async ({ reason }) => {
      throw unavailable("The store did not answer.", { cause: reason });
    },
  ],
])("after Ctrl-C, work that %s ends with 130", async (_, work) => {
  expect(await runStopped(work)).toBe(exitCodes.interrupted);
});

test("after Ctrl-C, a fault of the work itself is still told", async () => {
  await expect(runStopped(() => Promise.reject(fullDisk))).rejects.toBe(fullDisk);
});

test("a second Ctrl-C that npm passes on does not end the process once the work has stopped", async () => {
  await runStopped(async () => {});
  expect(process.listenerCount("SIGINT")).toBeGreaterThan(listeners[0]?.[1].length ?? 0);
});

test.each<[what: string, work: () => Promise<void>, told: RegExp]>([
  ["is told", async () => {}, /queues cannot be closed/],
  ["is told after the work's own fault", () => Promise.reject(fullDisk), /disk is full/],
])("what cannot be closed %s, and all else is closed", async (_, work, told) => {
  const command = defineCommand({
    words: "work",
    summary: "work",
    examples: ["ops work"],
    exits: { 0: "done", 2: "not done" },
    on: "queues",
    json: "It only works.",
    run: async (_given, { store, queues }) => {
      await store();
      await queues();
      await work();
    },
  });
  closed.length = 0;
  await expect(runCommand(command, {})).rejects.toThrow(told);
  expect(closed).toEqual(["store"]);
});
